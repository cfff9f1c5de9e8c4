import type { Rows } from "@/lib/common/rows";
import type { Datatype, TensorSpec } from "@/lib/common/tensor";
import { type Feed, settleShape } from "./float-session";

const sizeOf = (shape: readonly number[]) => shape.reduce((product, each) => product * each, 1);

/** Elements of one row of a tensor, free dimensions counted as 1. */
export function rowSize(spec: Pick<TensorSpec, "shape">): number {
  return sizeOf(settleShape(spec, 1).slice(1));
}

/** Rows one run takes: as many as wanted, or what a fixed batch dimension says. */
export function batchOf({ shape }: Pick<TensorSpec, "shape">, wanted: number): number {
  const [first = 1] = shape;
  return first < 0 ? wanted : first;
}

/** Whether rows of a file can be fed to a model: it has one real input of that width. */
export function takesRows(inputs: readonly TensorSpec[], rows: Rows | null): rows is Rows {
  const [input] = inputs;
  return (
    rows !== null &&
    input !== undefined &&
    inputs.length === 1 &&
    (input.datatype === "FP32" || input.datatype === "FP64") &&
    rowSize(input) === rows.width
  );
}

/** One batch of each input: from the rows, or made up, the same each time. */
export function makeFeeds(
  inputs: readonly TensorSpec[],
  rows: Rows | null,
  count: number,
): Map<string, Feed> {
  const next = pseudoRandom(1);
  return new Map(
    inputs.map((spec) => {
      const shape = settleShape(spec, count);
      const size = sizeOf(shape);
      const real = spec.datatype.startsWith("FP");
      const values = takesRows(inputs, rows)
        ? Float64Array.from({ length: size }, (_, at) => rows.values[at % rows.values.length] ?? 0)
        : Float64Array.from({ length: size }, () =>
            real ? next() * 2 - 1 : Math.floor(next() * 2),
          );
      return [spec.name, { datatype: spec.datatype as Datatype, shape, values }];
    }),
  );
}

/** A linear congruential generator. Source of the constants: Numerical Recipes, 7.1. */
function pseudoRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
