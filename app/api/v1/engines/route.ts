import { z } from "zod";
import { listBoardModels } from "@/boards";
import { listEngines } from "@/engines";
import { engineSchema, pageOf } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "engines.list",
  summary:
    "Each engine with the JSON Schema of its options, the formats it reads and the boards it builds for.",
  response: pageOf(engineSchema),
  handle: async () => ({ items: listEngines().map(describe), nextCursor: null }),
});

function describe(engine: ReturnType<typeof listEngines>[number]) {
  const { id, title, summary, kind, formats, outline, optionsSchema } = engine;
  const boards = listBoardModels().filter(
    (board) => engine.supports(board, board.part.flow.kind === "cpu" ? "cpu" : "simulated").ok,
  );
  return {
    id,
    title,
    summary,
    kind,
    formats: [...formats],
    forecasts: outline !== undefined,
    boards: boards.map((board) => board.id),
    firmwareBoards: boards
      .filter((board) => (engine.kindOn?.(board) ?? kind) === "fpga")
      .map((board) => board.id),
    optionsSchema: z.toJSONSchema(optionsSchema, { io: "input" }) as Record<string, unknown>,
  };
}
