import type { Rows } from "@/lib/common/rows";
import { type Datatype, rowSize, rowWidth, type TensorSpec } from "@/lib/common/tensor";

/** What a model is given at one of its inputs. */
export interface Feed {
  readonly datatype: Datatype;
  readonly shape: readonly number[];
  /** Numbers; for BYTES their count is what matters. */
  readonly values: ArrayLike<number>;
}

const sizeOf = (shape: readonly number[]) => shape.reduce((product, each) => product * each, 1);

/** Shape of `count` rows: the batch comes first, other free dimensions are 1. */
function settleShape({ shape }: Pick<TensorSpec, "shape">, count: number): number[] {
  return shape.map((dimension, axis) => (dimension >= 0 ? dimension : axis === 0 ? count : 1));
}

/** Rows one run takes: as many as wanted, or what a fixed batch dimension says. */
export function batchOf({ shape }: Pick<TensorSpec, "shape">, wanted: number): number {
  const [first = 1] = shape;
  return first < 0 ? wanted : first;
}

/** As much of an input as rows are held against. */
export interface RowInput {
  readonly shape: readonly number[];
  readonly datatype: string;
}

/** Whether rows of a file can be fed to a model: its inputs are real, and have so many values together. */
export function takesRows(inputs: readonly RowInput[], rows: Rows | null): rows is Rows {
  return (
    rows !== null &&
    inputs.length > 0 &&
    inputs.every(({ datatype }) => datatype === "FP32" || datatype === "FP64") &&
    rowWidth(inputs) === rows.width
  );
}

/** What each input has of the first of some rows, by its name; they begin anew where they are fewer than wanted. */
export function tensorsOfRows(
  inputs: readonly Pick<TensorSpec, "name" | "shape">[],
  { values, width }: Pick<Rows, "values" | "width">,
  count: number,
): Map<string, { readonly shape: readonly number[]; readonly values: Float64Array }> {
  let first = 0;
  return new Map(
    inputs.map((input) => {
      const size = rowSize(input);
      const own = new Float64Array(count * size);
      for (let at = 0; at < own.length; at++) {
        const place = Math.floor(at / size) * width + first + (at % size);
        own[at] = values[place % values.length] ?? 0;
      }
      first += size;
      return [input.name, { shape: [count, ...settleShape(input, 1).slice(1)], values: own }];
    }),
  );
}

/** One batch of each input: from the rows, or made up, the same each time. */
export function makeFeeds(
  inputs: readonly TensorSpec[],
  rows: Rows | null,
  count: number,
): Map<string, Feed> {
  const batch = batchOf(inputs[0] ?? { shape: [] }, count);
  const given = takesRows(inputs, rows) ? tensorsOfRows(inputs, rows, batch) : null;
  const next = pseudoRandom(1);
  return new Map(
    inputs.map((spec) => {
      const shape = settleShape(spec, count);
      const real = spec.datatype.startsWith("FP");
      const values =
        given?.get(spec.name)?.values ??
        Float64Array.from({ length: sizeOf(shape) }, () =>
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
