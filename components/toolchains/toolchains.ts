import { type BoardModel, findBoardModel, findFamily, listBoardModels } from "@/boards";
import type { Artifact } from "@/lib/common/contract";

/** A family of parts with the tools that make its bitstreams, as far as they were used here. */
export interface Toolchain {
  /** Of the parts, as forecasts name it: `ice40`. */
  readonly family: string;
  readonly title: string;
  /** Names of the board models that it builds for. */
  readonly boards: readonly string[];
  readonly tools: readonly ToolUse[];
  /** The line that installs them. */
  readonly setup: string;
}

interface ToolUse {
  readonly command: string;
  /** As the latest artifact of the family names it; null: it has made none yet. */
  readonly version: string | null;
}

/**
 * The families that designs are built for, those with most boards first.
 *
 * @param artifacts Newest first.
 */
export function toolchainsOf(artifacts: readonly Artifact[]): Toolchain[] {
  const boardsOf = new Map<string, BoardModel[]>();
  for (const board of listBoardModels()) {
    const { family } = board.part;
    boardsOf.set(family, [...(boardsOf.get(family) ?? []), board]);
  }
  return [...boardsOf]
    .flatMap(([family, boards]) => {
      const flow = boards[0] && findFamily(boards[0].part);
      if (!flow) return [];
      const latest = artifacts.find(
        ({ manifest }) => findBoardModel(manifest.boardModel)?.part.family === family,
      );
      const toolchain: Toolchain = {
        family,
        title: flow.title,
        boards: boards.map(({ name }) => name),
        setup: family === "ice40" ? "npm start" : `npm run setup -- ${family}`,
        tools: [...new Set(["yosys", ...flow.tools])].map((command) => ({
          command,
          version: latest?.manifest.tools[command] ?? null,
        })),
      };
      return [toolchain];
    })
    .sort((a, b) => b.boards.length - a.boards.length);
}
