import { fail } from "@/lib/common/errors";
import { activate } from "../activations";
import type { NewNode, Value } from "../builder";
import { type LayerCall, type LayerTranslator, onlyInput, unsupported } from "./call";

/** A function by its name. */
export const activationLayer: LayerTranslator = (call) =>
  activate(onlyInput(call), call.fields.raw("activation"), call);

type Apply = (value: Value, inputs?: NewNode["inputs"]) => Value;

function each(
  call: LayerCall,
  run: (add: (operator: string, node?: Partial<NewNode>) => Apply) => Apply,
): Value {
  const { emit } = call;
  const add =
    (operator: string, node: Partial<NewNode> = {}): Apply =>
    (value) =>
      emit.add(operator, { shape: value.shape, ...node, inputs: [value, ...(node.inputs ?? [])] });
  return emit.eachElement(onlyInput(call), (value) => run(add)(value));
}

/** max(0, x), with a slope below, a bound above, and a threshold in between. */
export const reluLayer: LayerTranslator = (call) => {
  const { fields, emit } = call;
  const slope = fields.number("negative_slope", 0);
  const bound = fields.raw("max_value") === undefined ? null : fields.number("max_value");
  if (fields.number("threshold", 0) !== 0) throw unsupported(call, "has a threshold");
  return each(call, (add) => (value) => {
    const bent =
      slope === 0 ? add("Relu")(value) : add("LeakyRelu", { attributes: { alpha: slope } })(value);
    if (bound === null) return bent;
    // The lower bound is left open.
    return add("Min", { inputs: [emit.weight("most", [], [bound])] })(bent);
  });
};

export const leakyReluLayer: LayerTranslator = (call) => {
  const { fields } = call;
  const alpha = fields.number("negative_slope", fields.number("alpha", 0.3));
  return each(call, (add) => add("LeakyRelu", { attributes: { alpha } }));
};

export const eluLayer: LayerTranslator = (call) =>
  each(call, (add) => add("Elu", { attributes: { alpha: call.fields.number("alpha", 1) } }));

/** A slope of its own for each element of a row, or shared along some axes. */
export const preluLayer: LayerTranslator = (call) => {
  const { fields, weights, emit } = call;
  const input = onlyInput(call);
  const shared = fields.raw("shared_axes") ?? [];
  if (!Array.isArray(shared)) throw fields.refuse("shared_axes", "is no list");
  const shape = input.shape.slice(1).map((size, axis) => (shared.includes(axis + 1) ? 1 : size));
  if (shape.some((size) => size < 1))
    throw unsupported(call, "has slopes for an axis of free size");
  const [slopes = new Float64Array()] = weights.read([shape]);
  return emit.add("PRelu", {
    inputs: [input, emit.weight("alpha", shape, slopes)],
    shape: input.shape,
  });
};

export const softmaxLayer: LayerTranslator = (call) => {
  const { fields, emit } = call;
  const input = onlyInput(call);
  const axis = fields.raw("axis") ?? -1;
  const [only, ...more]: unknown[] = Array.isArray(axis) ? axis : [axis];
  if (typeof only !== "number" || !Number.isInteger(only) || more.length > 0) {
    throw unsupported(call, "works along several axes");
  }
  if (only >= input.shape.length || only < -input.shape.length) {
    throw fail(
      "MODEL_SHAPE_INVALID",
      `${call.where} works along axis ${only}, which its input does not have.`,
    );
  }
  return emit.add("Softmax", { inputs: [input], shape: input.shape, attributes: { axis: only } });
};
