import { type InputRange, type ModelCard, rangeOfEach } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { rowWidth, type TensorSpec } from "@/lib/common/tensor";

/**
 * A model's card with the range that a request gives in place of the card's own.
 *
 * @throws {AppError} `RANGE_INVALID`, with the field, for a range that has another count of numbers than the model's inputs.
 */
export function withGivenRange(
  card: ModelCard | null,
  range: InputRange | undefined,
  inputs: readonly Pick<TensorSpec, "shape">[],
): ModelCard | null {
  if (!range) return card;
  const size = rowWidth(inputs);
  const inputRange = rangeOfEach(range, size);
  for (const bound of ["min", "max"] as const) {
    const { length } = inputRange[bound];
    if (length === size) continue;
    throw fail(
      "RANGE_INVALID",
      `inputRange.${bound} has ${length} numbers, the model takes ${size}.`,
      { field: `inputRange.${bound}`, hint: "Give one number for all inputs, or one for each." },
    );
  }
  return { ...card, inputRange, rangeFrom: "request" };
}
