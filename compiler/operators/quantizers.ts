import type { GraphConstant } from "../graph/graph";
import type { RealTensor } from "../graph/real-tensor";
import { channels } from "../model/channels";
import { append, isOfInputs, mapOf, type NodeView, wholeOf } from "../model/maps/chain";
import type { Value } from "../model/maps/value";
import { type Quantizer, quantizeBy, quantizerOf } from "../model/quantizer";
import { ontoInputGrid } from "./input-grid";
import { type Evaluation, type Operator, sameShape } from "./operator";

interface Channel {
  readonly quantizer: Quantizer;
  readonly channel: number;
  readonly scale: number;
  readonly zero: number;
}

function changed(
  { node, input, optional }: Evaluation,
  change: (value: number, channel: Channel) => number,
): RealTensor {
  const { shape, values } = input(0);
  const constant = (index: number): GraphConstant | null => {
    const found = optional(index);
    if (!found) return null;
    return {
      name: node.inputs[index] ?? "",
      datatype: "UINT8",
      ...found,
      values: Float64Array.from(found.values),
    };
  };
  const quantizer = quantizerOf(node, constant);
  const zeros = constant(2)?.values ?? Float64Array.of(0);
  const channelOf = channels(node, quantizer, shape);
  return {
    shape,
    values: Float64Array.from(values, (value, index) => {
      const channel = channelOf(index);
      const scale = quantizer.scales[channel % quantizer.scales.length] ?? 1;
      const zero = zeros[channel % zeros.length] ?? 0;
      return change(value, { quantizer, channel, scale, zero });
    }),
  };
}

/** Values go onto a grid of the model's own. */
function read({ node, chain, value, constant }: NodeView): Value {
  const given = value(0);
  const quantizer = quantizerOf(node, constant);
  const input = isOfInputs(chain, given) ? ontoInputGrid(chain, given, node, quantizer) : null;
  if (input) return input;
  const own = wholeOf(chain, given, node);
  const layer = append(chain, {
    kind: "quantize",
    name: node.name,
    operator: node.operator,
    from: own.layer,
    output: mapOf(chain, own),
    quantizer,
  });
  return { ...own, layer };
}

/** Steps, with the zero point. */
export const quantizeLinear: Operator = {
  shape: sameShape,
  evaluate: (each) =>
    changed(
      each,
      (value, { quantizer, channel, zero }) => quantizeBy(quantizer, value, channel) + zero,
    ),
  read,
};

/** The real values of steps; readers find it merged with the `QuantizeLinear` before it. */
export const dequantizeLinear: Operator = {
  shape: sameShape,
  evaluate: (each) => changed(each, (value, { scale, zero }) => (value - zero) * scale),
};

/** QONNX: the real value on the grid. */
export const quant: Operator = {
  shape: sameShape,
  evaluate: (each) =>
    changed(
      each,
      (value, { quantizer, channel, scale }) => quantizeBy(quantizer, value, channel) * scale,
    ),
  read,
};
