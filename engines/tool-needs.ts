import { type BoardModel, listBoardModels } from "@/boards";
import { boardKindSchema } from "@/lib/common/contract";
import type { Engine } from "./engine";

/** What an engine runs for a format and a board. */
export interface ToolNeed {
  readonly format: string;
  readonly board: string;
  readonly commands: readonly string[];
}

/** How builds for a board are asked for when no device is named. */
export const kindOnDemand = ({ part }: BoardModel) =>
  part.flow.kind === "cpu" ? ("cpu" as const) : ("simulated" as const);

/** The tools of an engine's plans: one entry for each of its formats and each board that it builds for. */
export function toolNeeds(
  engine: Pick<Engine, "formats" | "supports" | "tools">,
): readonly ToolNeed[] {
  const boards = listBoardModels().filter((board) =>
    boardKindSchema.options.some((kind) => engine.supports(board, kind).ok),
  );
  return engine.formats.flatMap((format) =>
    boards.map((board) => ({ format, board: board.id, commands: engine.tools(format, board) })),
  );
}
