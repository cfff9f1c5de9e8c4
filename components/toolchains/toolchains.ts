import {
  type BoardModel,
  type Family,
  findBoardModel,
  findFamily,
  listBoardModels,
} from "@/boards";
import type { ListedArtifact } from "@/lib/common/contract";

/** Families of parts with the tools that make their bitstreams, as far as they were used here. */
export interface Toolchain {
  /** Of the parts, as forecasts name them. */
  readonly families: readonly string[];
  readonly title: string;
  /** Names of the board models that it builds for. */
  readonly boards: readonly string[];
  readonly tools: readonly ToolUse[];
  /** The line that installs them all; null where a vendor's tool is among them. */
  readonly setup: string | null;
  /** What people must get from a vendor for bitstreams. */
  readonly vendorTools: readonly string[];
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
export function toolchainsOf(
  artifacts: readonly Pick<ListedArtifact, "boardModel" | "tools">[],
): Toolchain[] {
  const boardsOf = new Map<Family, BoardModel[]>();
  for (const board of listBoardModels()) {
    const flow = findFamily(board.part);
    if (flow) boardsOf.set(flow, [...(boardsOf.get(flow) ?? []), board]);
  }
  return [...boardsOf]
    .map(([{ title, vendor, tools, isInstalledAtOnce }, boards]): Toolchain => {
      const families = [...new Set(boards.map(({ part }) => part.family))];
      const latest = artifacts.find(({ boardModel }) =>
        families.includes(findBoardModel(boardModel)?.part.family ?? ""),
      );
      const [family] = families;
      const setup = isInstalledAtOnce ? "npm start" : `npm run setup -- ${family}`;
      return {
        families,
        title,
        boards: boards.map(({ name }) => name),
        setup: vendor ? null : setup,
        vendorTools: vendor ? [...new Set(boards.map(vendor.tool))] : [],
        tools: [...new Set(["yosys", ...tools])].map((command) => ({
          command,
          version: latest?.tools[command] ?? null,
        })),
      };
    })
    .sort((a, b) => b.boards.length - a.boards.length);
}
