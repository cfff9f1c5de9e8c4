import type { BoardModel } from "@/boards";
import type { Engine } from "@/engines";
import type { BoardKind } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import type { Toolchain } from "../tools";
import { type AttemptContext, say } from "./attempt-context";

export interface VendorTools {
  /** Of those that are here, by command. */
  readonly versions: Readonly<Record<string, string>>;
  /** Why there will be no bitstream; null where there will be one. */
  readonly missing: string | null;
}

/**
 * Looks for the vendor's tool that a board's bitstream needs. Without it a simulated board is built for, up to the whole
 * project; a real one is refused here, before anything is fetched for it.
 *
 * @throws {AppError} `TOOL_MISSING`
 */
export async function findVendorTools(
  context: Pick<AttemptContext, "stages" | "log">,
  {
    engine,
    boardModel,
    kind,
  }: { readonly engine: Engine; readonly boardModel: BoardModel; readonly kind: BoardKind },
  { toolchain }: { readonly toolchain: Toolchain },
): Promise<VendorTools> {
  const vendor = engine.vendorTools?.(boardModel) ?? null;
  if (vendor === null) return { versions: {}, missing: null };
  const { title, commands } = vendor;
  const found = await toolchain.found(commands);
  const isHere = commands.length > 0 && commands.every((command) => command in found);
  if (isHere) return { versions: found, missing: null };
  if (kind === "physical") {
    throw fail(
      "TOOL_MISSING",
      `A bitstream for ${boardModel.name} needs ${title}, which is not on this build worker.`,
      {
        hint: `Install ${title} where the build worker runs (npm run doctor shows what it finds), or deploy on a simulated ${boardModel.name} and build the project of its artifact yourself.`,
      },
    );
  }
  const missing = `project written, bitstream needs ${title}`;
  say(context, `${boardModel.name}: ${missing}. It is proven and simulated all the same.`);
  // Half a tool is none: a plan must not depend on it.
  return { versions: {}, missing };
}
