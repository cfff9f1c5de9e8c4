import type { Value } from "../builder";
import {
  anyInput,
  type LayerCall,
  type LayerTranslator,
  onlyInput,
  spatialInput,
  wrongShape,
} from "./call";

const productOf = (sizes: readonly number[]): number =>
  sizes.some((size) => size < 0) ? -1 : sizes.reduce((product, size) => product * size, 1);

/** What training does and serving does not. */
export const unchanged: LayerTranslator = anyInput;

export const flatten: LayerTranslator = (call) => {
  const input = anyInput(call);
  const [batch = -1, ...row] = input.shape;
  if (row.length === 1) return input;
  return call.emit.add("Flatten", {
    inputs: [input],
    shape: [batch, productOf(row)],
    datatype: input.datatype,
    attributes: { axis: 1 },
  });
};

export const reshape: LayerTranslator = (call) => {
  const input = anyInput(call);
  const target = call.fields.raw("target_shape");
  if (!Array.isArray(target) || !target.every((size) => Number.isInteger(size) && size >= -1)) {
    throw call.fields.refuse("target_shape", "is no shape");
  }
  return reshaped(call, input, target);
};

/** @param row Sizes without the batch; −1 is whatever is left. */
function reshaped(call: LayerCall, input: Value, row: readonly number[]): Value {
  const { emit } = call;
  const [batch = -1, ...before] = input.shape;
  const total = productOf(before);
  const known = productOf(row.filter((size) => size >= 0));
  const settled = row.map((size) => (size >= 0 ? size : total < 0 ? -1 : total / known));
  const fits = settled.every(Number.isInteger) && (total < 0 || productOf(settled) === total);
  if (!fits || row.filter((size) => size < 0).length > 1) {
    throw wrongShape(call, input, `rows that make [${row.join(", ")}]`);
  }
  return emit.add("Reshape", {
    // 0 keeps the batch as it is.
    inputs: [input, emit.integers("shape", [0, ...settled])],
    shape: [batch, ...settled],
    datatype: input.datatype,
  });
}

export const permute: LayerTranslator = (call) => {
  const input = anyInput(call);
  const rank = input.shape.length;
  const dims = call.fields.counts("dims", rank - 1);
  const perm = [0, ...dims];
  if (new Set(perm).size !== rank || perm.some((axis) => axis >= rank)) {
    throw call.fields.refuse("dims", "is no order of the axes");
  }
  return call.emit.add("Transpose", {
    inputs: [input],
    shape: perm.map((axis) => input.shape[axis] ?? -1),
    datatype: input.datatype,
    attributes: { perm },
  });
};

/** Zeros around the axes between batch and channels. */
export const zeroPadding =
  (axes: number): LayerTranslator =>
  (call) => {
    const { emit, fields } = call;
    const input = spatialInput(call, axes);
    const pairs = paddingOf(call, fields.raw("padding") ?? 1, axes);
    const pads = [
      0,
      ...pairs.map(([before]) => before),
      0,
      0,
      ...pairs.map(([, after]) => after),
      0,
    ];
    const shape = input.shape.map((size, axis) => {
      const [before, after] = pairs[axis - 1] ?? [0, 0];
      return size < 0 ? -1 : size + before + after;
    });
    return emit.add("Pad", { inputs: [input, emit.integers("pads", pads)], shape });
  };

/** `2`, `[1, 2]` or `[[1, 1], [2, 0]]`; over one axis a pair is before and after. */
function paddingOf(
  { fields }: LayerCall,
  value: unknown,
  axes: number,
): (readonly [number, number])[] {
  const isSize = (each: unknown): each is number =>
    typeof each === "number" && Number.isInteger(each) && each >= 0 && each < 2 ** 20;
  const pairOf = (each: unknown): readonly [number, number] => {
    if (isSize(each)) return [each, each];
    const [before, after] = Array.isArray(each) ? each : [];
    if (isSize(before) && isSize(after)) return [before, after];
    throw fields.refuse("padding", "is no padding");
  };
  if (axes === 1) return [pairOf(value)];
  const list: unknown[] = Array.isArray(value) ? value : Array<unknown>(axes).fill(value);
  if (list.length !== axes) throw fields.refuse("padding", "is no padding");
  return list.map(pairOf);
}

/** Repeats each row as many times along a new axis. */
export const repeatVector: LayerTranslator = (call) => {
  const { emit, fields } = call;
  const input = onlyInput(call);
  const [batch = -1, size = -1, ...more] = input.shape;
  if (more.length > 0 || size < 1) throw wrongShape(call, input, "2 dimensions");
  const count = fields.count("n");
  const column = reshaped(call, input, [1, size]);
  return emit.add("Tile", {
    inputs: [column, emit.integers("repeats", [1, count, 1])],
    shape: [batch, count, size],
  });
};
