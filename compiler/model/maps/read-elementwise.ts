import type { GraphNode } from "../../graph/graph";
import { refuse } from "../../graph/refuse";
import { append, mapOf, type NodeView, needConstant, numberOf, spread } from "./chain";
import { stridesOf, type Value } from "./value";

/** Add, Sub, Mul and Div with a constant; Add of two values. */
export function arithmetic(view: NodeView): Value {
  const { node, constant, value } = view;
  const { operator } = node;
  const place = constant(1) ? 0 : 1;
  const operand = constant(1 - place);
  if (!operand) {
    if (operator !== "Add")
      throw refuse(node, "of two computed values is not taken on FPGA boards");
    return addValues(view);
  }
  if (operator === "Div" && place === 1) throw refuse(node, "divides by a computed value");
  const own = value(place);
  const other = spread(node, operand, own);
  const factor = other.map((each) => {
    if (operator === "Mul") return each;
    if (operator === "Div") return 1 / each;
    return operator === "Sub" && place === 1 ? -1 : 1;
  });
  const offset = other.map((each) => {
    if (operator === "Add") return each;
    return operator === "Sub" ? (place === 1 ? each : -each) : 0;
  });
  if (!factor.every(Number.isFinite)) throw refuse(node, "divides by zero");
  return affine(view, own, { factor, offset });
}

/** `scale · (x − mean) / √(variance + ε) + bias` for each channel, the first dimension after the batch. */
export function batchNormalization(view: NodeView): Value {
  const { node, value } = view;
  const [scale, bias, mean, variance] = [1, 2, 3, 4].map((at) => needConstant(view, at).values);
  const epsilon = numberOf(node, "epsilon", 1e-5);
  const own = value(0);
  const perChannel = stridesOf(own.shape)[0] ?? 1;
  const factor = new Float64Array(own.order.length);
  const offset = new Float64Array(own.order.length);
  for (const [flat, at] of own.order.entries()) {
    const channel = Math.floor(flat / perChannel);
    const gain = (scale?.[channel] ?? 1) / Math.sqrt((variance?.[channel] ?? 1) + epsilon);
    factor[at] = gain;
    offset[at] = (bias?.[channel] ?? 0) - gain * (mean?.[channel] ?? 0);
  }
  return affine(view, own, { factor, offset });
}

export function relu({ node, chain, value }: NodeView): Value {
  const own = value(0);
  const output = mapOf(chain, own);
  const layer = append(chain, { kind: "relu", name: node.name, from: own.layer, output });
  return { ...own, layer, version: 0 };
}

/** @param each One factor and one offset for every element of the value's map. */
function affine(
  { node, chain }: NodeView,
  own: Value,
  each: { readonly factor: Float64Array; readonly offset: Float64Array },
): Value {
  if (own.layer < 0) {
    const { inputFactor, inputOffset } = chain;
    for (const [at, factor] of each.factor.entries()) {
      inputFactor[at] = (inputFactor[at] ?? 1) * factor;
      inputOffset[at] = (inputOffset[at] ?? 0) * factor + (each.offset[at] ?? 0);
    }
    chain.inputVersion++;
    return { ...own, version: chain.inputVersion };
  }
  const output = mapOf(chain, own);
  const layer = append(chain, {
    kind: "affine",
    name: node.name,
    from: own.layer,
    output,
    factor: byChannel(node, each.factor, output.channels),
    offset: byChannel(node, each.offset, output.channels),
  });
  return { ...own, layer };
}

function byChannel(node: GraphNode, values: Float64Array, channels: number): Float64Array {
  if (values.some((value, at) => value !== values[at % channels])) {
    throw refuse(node, "has another constant for each pixel, not one for each channel");
  }
  return values.slice(0, channels);
}

function addValues({ node, chain, value }: NodeView): Value {
  const [left, right] = [value(0), value(1)];
  const [a, b] = [mapOf(chain, left), mapOf(chain, right)];
  const isSame =
    left.shape.length === right.shape.length &&
    left.shape.every((size, axis) => size === right.shape[axis]) &&
    a.channels === b.channels &&
    a.width === b.width &&
    left.order.every((place, at) => place === right.order[at]);
  if (!isSame) {
    throw refuse(
      node,
      `adds [${left.shape.join(", ")}] and [${right.shape.join(", ")}], which do not lie alike`,
    );
  }
  const layer = append(chain, {
    kind: "add",
    name: node.name,
    from: [left.layer, right.layer],
    output: a,
    relu: false,
  });
  return { ...left, layer, version: 0 };
}
