import type { GraphConstant, GraphNode } from "../graph/graph";
import type { RealTensor } from "../graph/real-tensor";
import { channels } from "../model/channels";
import { type Quantizer, quantizeBy, quantizerOf } from "../model/quantizer";

interface Context {
  readonly node: GraphNode;
  readonly input: (index: number) => RealTensor;
  readonly optional: (index: number) => RealTensor | undefined;
}

/** `QuantizeLinear`: steps, with the zero point. */
export function quantizedLinear(context: Context): RealTensor {
  return changed(
    context,
    (value, { quantizer, channel, zero }) => quantizeBy(quantizer, value, channel) + zero,
  );
}

/** `DequantizeLinear`: the real values of steps. */
export function dequantizedLinear(context: Context): RealTensor {
  return changed(context, (value, { scale, zero }) => (value - zero) * scale);
}

/** QONNX's `Quant`: the real value on the grid. */
export function quantized(context: Context): RealTensor {
  return changed(
    context,
    (value, { quantizer, channel, scale }) => quantizeBy(quantizer, value, channel) * scale,
  );
}

interface Channel {
  readonly quantizer: Quantizer;
  readonly channel: number;
  readonly scale: number;
  readonly zero: number;
}

function changed(
  { node, input, optional }: Context,
  change: (value: number, channel: Channel) => number,
): RealTensor {
  const { shape, values } = input(0);
  const constant = (index: number): GraphConstant | null => {
    const found = optional(index);
    if (!found) return null;
    const { datatype = "UINT8" } = found as Partial<GraphConstant>;
    return {
      name: node.inputs[index] ?? "",
      datatype,
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
