import type { Value } from "../builder";
import { fieldsOf } from "../fields";
import { channelsOf, type LayerCall, type LayerTranslator, onlyInput, unsupported } from "./call";

/** Axes as counts from the front; Keras writes one number or a list. */
function axesOf({ fields }: LayerCall, rank: number): number[] {
  const value = fields.raw("axis") ?? -1;
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.map((axis) => {
    const whole = typeof axis === "number" && Number.isInteger(axis) ? axis : rank;
    const from = whole < 0 ? whole + rank : whole;
    if (from < 1 || from >= rank) throw fields.refuse("axis", "names no axis of its input");
    return from;
  });
}

/** What training has found, applied: (x − mean) / √(variance + ε) · gamma + beta, for each channel. */
export const batchNormalization: LayerTranslator = (call) => {
  const { fields, weights, emit } = call;
  const input = onlyInput(call);
  const channels = channelsOf(call, input);
  const [axis, ...more] = axesOf(call, input.shape.length);
  if (more.length > 0 || axis !== input.shape.length - 1) {
    throw unsupported(call, "normalises another axis than the last");
  }
  const scales = fields.flag("scale", true);
  const centres = fields.flag("center", true);
  const read = [
    ...weights.read(Array<number[]>(2 + Number(scales) + Number(centres)).fill([channels])),
  ];
  const ones = new Float64Array(channels).fill(1);
  const gamma = (scales ? read.shift() : ones) ?? ones;
  const beta = (centres ? read.shift() : null) ?? new Float64Array(channels);
  const [mean = beta, variance = ones] = read;
  const parameter = (name: string, values: Float64Array) => emit.weight(name, [channels], values);
  const normalise = (value: Value): Value =>
    emit.add("BatchNormalization", {
      inputs: [
        value,
        parameter("gamma", gamma),
        parameter("beta", beta),
        parameter("mean", mean),
        parameter("variance", variance),
      ],
      shape: value.shape,
      attributes: { epsilon: fields.number("epsilon", 1e-3) },
    });
  if (input.shape.length > 2) return emit.channelsLast(normalise(emit.channelsFirst(input)));
  // Rows of a matrix: a scale and an offset, which every engine folds into the layer beside them.
  const epsilon = fields.number("epsilon", 1e-3);
  const factor = gamma.map((value, index) => value / Math.sqrt((variance[index] ?? 0) + epsilon));
  const offset = beta.map((value, index) => value - (mean[index] ?? 0) * (factor[index] ?? 0));
  const scaled = emit.add("Mul", {
    inputs: [input, parameter("factor", factor)],
    shape: input.shape,
  });
  return emit.add("Add", { inputs: [scaled, parameter("offset", offset)], shape: input.shape });
};

/** Normalises each row over its last axes. */
export const layerNormalization: LayerTranslator = (call) => {
  const { fields, weights, emit } = call;
  const input = onlyInput(call);
  const rank = input.shape.length;
  const axes = axesOf(call, rank).sort((a, b) => a - b);
  const first = axes[0] ?? rank - 1;
  if (axes.some((axis, index) => axis !== first + index) || axes.at(-1) !== rank - 1) {
    throw unsupported(call, "normalises other axes than the last ones");
  }
  if (fields.flag("rms_scaling", false)) throw unsupported(call, "scales by the root mean square");
  const shape = input.shape.slice(first);
  if (shape.some((size) => size < 1)) throw unsupported(call, "normalises an axis of free size");
  const scales = fields.flag("scale", true);
  const centres = fields.flag("center", true);
  const read = [...weights.read(Array<number[]>(Number(scales) + Number(centres)).fill(shape))];
  const ones = new Float64Array(shape.reduce((product, size) => product * size, 1)).fill(1);
  const gamma = emit.weight("gamma", shape, (scales ? read.shift() : ones) ?? ones);
  const [beta] = read;
  return emit.add("LayerNormalization", {
    inputs: [input, gamma, ...(beta ? [emit.weight("beta", shape, beta)] : [])],
    shape: input.shape,
    attributes: { axis: first - rank, epsilon: fields.number("epsilon", 1e-3) },
  });
};

/** Keras divides by no less than this. */
const smallest = 1e-7;

/** (x − mean) / √variance with numbers found before training. They lie in the weights, or in the configuration. */
export const normalization: LayerTranslator = (call) => {
  const { fields, weights, emit } = call;
  const input = onlyInput(call);
  const rank = input.shape.length;
  const axes = fields.raw("axis") === undefined ? [] : axesOf(call, rank);
  const kept = axes.map((axis) => input.shape[axis] ?? -1);
  if (kept.some((size) => size < 1)) throw unsupported(call, "normalises an axis of free size");
  const size = kept.reduce((product, each) => product * each, 1);
  const given = fields.raw("mean") !== undefined;
  const [mean, variance] = given
    ? [listed(call, "mean", size), listed(call, "variance", size)]
    : adapted(call, kept);
  const shape = input.shape.map((each, axis) => (axes.includes(axis) ? each : 1));
  const parameter = (name: string, values: ArrayLike<number>) =>
    emit.weight(name, size === 1 ? [] : shape, values);
  const deviation = variance.map((value) => Math.max(Math.sqrt(value), smallest));
  const apply = (operator: string, value: Value, name: string, values: Float64Array) =>
    emit.add(operator, { inputs: [value, parameter(name, values)], shape: input.shape });
  if (fields.flag("invert", false)) {
    return apply("Add", apply("Mul", input, "deviation", deviation), "mean", mean);
  }
  return apply("Div", apply("Sub", input, "mean", mean), "deviation", deviation);

  function adapted(of: LayerCall, wanted: readonly number[]): [Float64Array, Float64Array] {
    // The third one counts the rows that were seen.
    if (weights.count < 2) throw unsupported(of, "was never adapted to data");
    const [first = new Float64Array(), second = new Float64Array()] = weights.read(
      [wanted, wanted, null].slice(0, weights.count),
    );
    return [first, second];
  }
};

/** Numbers of the configuration: one for all, or a list with lists inside. */
function listed({ fields }: LayerCall, key: string, size: number): Float64Array {
  const value = fields.raw(key);
  const flat: unknown[] = Array.isArray(value) ? value.flat(8) : [value];
  const numbers = flat.filter((each): each is number => Number.isFinite(each));
  if (numbers.length === size && flat.length === size) return Float64Array.from(numbers);
  if (numbers.length === 1) return new Float64Array(size).fill(numbers[0] ?? 0);
  throw fields.refuse(key, `does not have ${size} numbers`);
}

/** x · scale + offset. */
export const rescaling: LayerTranslator = (call) => {
  const { fields, emit } = call;
  const input = onlyInput(call);
  const channels = input.shape.at(-1) ?? 1;
  const parameter = (key: string, otherwise: number) => {
    const value = fields.raw(key) ?? otherwise;
    const { raw } = fieldsOf(call.where, { value });
    const size = Array.isArray(raw("value")) ? channels : 1;
    const numbers = listed({ ...call, fields: fieldsOf(call.where, { [key]: value }) }, key, size);
    return emit.weight(key, size === 1 ? [] : [size], numbers);
  };
  const scaled = emit.add("Mul", { inputs: [input, parameter("scale", 1)], shape: input.shape });
  return emit.add("Add", { inputs: [scaled, parameter("offset", 0)], shape: input.shape });
};
