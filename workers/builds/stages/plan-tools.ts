import type { BoardModel } from "@/boards";
import type { Engine } from "@/engines";
import type { Toolchain } from "../tools";

export interface PlanTools {
  /** Of the tools that make the products: they enter the plan's digest. */
  readonly versions: Readonly<Record<string, string>>;
  /** Whether all that reads products back is here: that decides no product, so it enters no digest. */
  readonly checks: boolean;
}

/**
 * The tools of a plan, as they are here.
 *
 * @param vendor Versions of a vendor's tools that were found.
 * @throws {AppError} `TOOL_MISSING`
 */
export async function findPlanTools(
  engine: Pick<Engine, "tools" | "checkers">,
  {
    format,
    board,
    options,
  }: {
    readonly format: string;
    readonly board: BoardModel;
    readonly options: Readonly<Record<string, unknown>>;
  },
  toolchain: Pick<Toolchain, "versions" | "found">,
  vendor: Readonly<Record<string, string>>,
): Promise<PlanTools> {
  const versions = {
    ...(await toolchain.versions(engine.tools(format, board, options))),
    ...vendor,
  };
  const checkers = engine.checkers?.(board) ?? [];
  const found = await toolchain.found(checkers);
  const checks = checkers.length > 0 && checkers.every((command) => command in found);
  return { versions, checks };
}
