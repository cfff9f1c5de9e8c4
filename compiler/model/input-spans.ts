import type { TensorSpec } from "@/lib/common/tensor";
import { productOf } from "./maps/value";

/** One input's values in a row of all inputs. */
export interface InputSpan {
  readonly first: number;
  readonly size: number;
}

/** Where the values of each input lie in a row: one input behind the other. Dimensions but the batch are known. */
export function inputSpansOf(inputs: readonly Pick<TensorSpec, "shape">[]): InputSpan[] {
  let first = 0;
  return inputs.map(({ shape }) => {
    const span = { first, size: productOf(shape.slice(1)) };
    first += span.size;
    return span;
  });
}
