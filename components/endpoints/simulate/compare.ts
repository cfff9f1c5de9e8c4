import { isShownAs, numbersOf, shownNumber, type Tensor } from "@/lib/common/tensor";
import type { Output } from "../request/predict";

/** One element of an answer: what the design in the page gives and what the endpoint gave. */
export interface ComparedValue {
  readonly output: string;
  readonly index: number;
  readonly here: string;
  /** Null: the endpoint has not answered this row. */
  readonly there: string | null;
  readonly equal: boolean | null;
}

/**
 * Holds the design's answer to one row against that row of the endpoint's answer, bit for bit in the output's datatype.
 *
 * @param here Tensors of one row.
 * @param there All outputs of the request, or null.
 */
export function compareRow(
  here: readonly Tensor[],
  there: readonly Output[] | null,
  row: number,
): readonly ComparedValue[] {
  return here.flatMap(({ name, datatype, data }) => {
    const output = there?.find((each) => each.name === name) ?? null;
    const values = numbersOf(data);
    return values.map((value, index): ComparedValue => {
      const other = output?.data[row * values.length + index];
      const known = other !== undefined;
      return {
        output: name,
        index,
        here: shownNumber(value, datatype),
        there: known ? String(other) : null,
        equal: known ? isShownAs(value, other, datatype) : null,
      };
    });
  });
}
