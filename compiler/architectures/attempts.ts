import { type AppError, isAppError } from "@/lib/common/errors";
import type { Wish } from "./architecture";

/** Cells of the largest design that is unrolled unasked. Ten thousand were placed within minutes; larger ones were not tried. */
export const mostUnasked = 20_000;

/** A way of making a design that could be asked for. */
interface Way {
  isAskedBy(wish: Wish): boolean;
}

export interface Willing<Some> {
  readonly willing: readonly Some[];
  /** Why others cannot do what is asked. */
  readonly refusals: readonly AppError[];
}

/**
 * The ways that can do what is asked, in their order.
 *
 * @param check Throws an `AppError` for options that a way cannot follow.
 * @throws {AppError} why the first cannot, where none can.
 */
export function willingOf<Some extends Way>(
  ways: readonly Some[],
  wish: Wish,
  check: (way: Some) => void,
): Willing<Some> {
  const willing: Some[] = [];
  const refusals: AppError[] = [];
  for (const way of ways.filter((each) => each.isAskedBy(wish))) {
    try {
      check(way);
      willing.push(way);
    } catch (error) {
      if (!isAppError(error)) throw error;
      refusals.push(error);
    }
  }
  const [first] = refusals;
  if (willing.length === 0 && first) throw first;
  return { willing, refusals };
}

/** The cells that each way may take: what has another behind it may not be larger than pays. */
export const limited = <Some>(
  willing: readonly Some[],
): readonly { readonly way: Some; readonly mostCells: number | undefined }[] =>
  willing.map((way, index) => ({
    way,
    mostCells: index === willing.length - 1 ? undefined : mostUnasked,
  }));
