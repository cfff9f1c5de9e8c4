import { type BoardModel, listBoardModels } from "@/boards";
import type { Fit } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import type { NumberTypeId } from "../reference/number-type";
import { supports } from "./constraints";
import { lackOf } from "./estimate";
import type { MachineSizes } from "./sizes";

/** Nearest boards that are named. */
const mostFits = 3;

/**
 * Refuses a machine that is too large for its part, naming what is lacking and which boards would hold it.
 *
 * @throws {AppError} `MODEL_TOO_LARGE`
 */
export function refuseTooLarge(
  sizes: MachineSizes,
  type: NumberTypeId,
  {
    board,
    options,
  }: { readonly board: BoardModel; readonly options: Readonly<Record<string, unknown>> },
): void {
  const { lacking, lack } = lackOf(sizes, type, board);
  if (lacking.length === 0) return;
  const fits = listBoardModels()
    .filter((other) => other.id !== board.id && supports(other, "simulated").ok)
    .filter((other) => lackOf(sizes, type, other).lacking.length === 0)
    .sort((a, b) => a.part.resources.lut - b.part.resources.lut)
    .slice(0, mostFits)
    .map((other): Fit => ({ title: `On ${other.name}`, options: { ...options }, board: other.id }));
  throw fail("MODEL_TOO_LARGE", `The machine does not fit ${board.name}: it ${lack}.`, {
    hint: `${sizes.layers.some(({ softmaxTerms }) => softmaxTerms) ? "Leave softmax to the host. " : ""}Each neuron is a processor of its own. Prune connections, choose words of 16 bits or a larger board, or the boardwalk engine, whose neurons share their arithmetic.`,
    details: { lacking, fits },
  });
}
