import { z } from "zod";
import { listBuildWorkers } from "@/domain/build-workers";
import { boardsOf, listEngines, loadsOf } from "@/engines";
import { type BuildWorker, engineSchema, pageOf } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { lackingTools } from "../_shared/lacking-tools";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "engines.list",
  needs: "read",
  summary:
    "Each engine with the JSON Schema of its options, the formats it reads, the boards it builds for, and the tools that build workers lack for it.",
  response: pageOf(engineSchema),
  handle: async () => {
    // Engines are there without the database; only what workers have is not known then.
    const workers = await listBuildWorkers().catch(() => null);
    return { items: listEngines().map((engine) => describe(engine, workers)), nextCursor: null };
  },
});

function describe(
  engine: ReturnType<typeof listEngines>[number],
  workers: readonly BuildWorker[] | null,
) {
  const { id, title, summary, kind, formats, outline, optionsSchema } = engine;
  const boards = boardsOf(engine);
  return {
    id,
    title,
    summary,
    kind,
    formats: [...formats],
    forecasts: outline !== undefined,
    boards: boards.map((board) => board.id),
    lacking: lackingTools(engine, workers),
    firmwareBoards: boards
      .filter((board) => (engine.kindOn?.(board) ?? kind) === "fpga")
      .map((board) => board.id),
    loads: [...loadsOf(engine)],
    proves: engine.proves ?? true,
    presets: [...(engine.presets ?? [])],
    optionsSchema: z.toJSONSchema(optionsSchema, { io: "input" }) as Record<string, unknown>,
  };
}
