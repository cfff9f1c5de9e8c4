import type { MapOutline } from "@/lib/common/contract";
import type { IntegerGraph, IntegerNode, RequantizeNode } from "../../integer/integer-graph";
import { sizeOf } from "../../integer/integer-maps";
import { widthFor } from "../../integer/range";
import { type Precision, weightBitsOf } from "../../passes/precision";
import { sumWidth } from "../../passes/sum-width";

/**
 * The integer graph of layers whose weights are not known: everything that its layout depends on, and nothing else.
 *
 * @param inputs Values of a row.
 */
export function hollowGraph(
  layers: readonly MapOutline[],
  inputs: number,
  precision: Precision,
): IntegerGraph {
  const nodes: IntegerNode[] = [];
  const places: number[] = [];
  const placeOf = (layer: number) => (layer < 0 ? -1 : (places[layer] ?? -1));
  for (const [place, layer] of layers.entries()) {
    const isLast = place === layers.length - 1;
    const name = `layer_${place}`;
    const requantize = (sum: IntegerNode, relu: boolean, table?: number): IntegerNode[] => {
      const node: RequantizeNode = {
        op: "requantize",
        name: `${name}/requantize`,
        from: nodes.length,
        size: sizeOf(layer.output),
        shift: [0],
        width: isLast ? scoreBits : precision.activationBits,
        signed: !relu,
        fraction: 0,
        relu,
      };
      if (table === undefined) return [sum, node];
      const { size, width } = node;
      return [
        sum,
        { ...node, width: tableInputBits },
        {
          op: "table",
          name: `table_${table}`,
          from: nodes.length + 1,
          size,
          inputWidth: tableInputBits,
          inputSigned: true,
          values: [],
          width,
          signed: true,
          fraction: 0,
        },
      ];
    };
    if (layer.kind === "convolution") {
      const { input, output, window, groups, relu, reach } = layer;
      const weightWidth = weightBitsOf(precision, place);
      const valueBits = layer.from < 0 ? precision.inputBits : precision.activationBits;
      const sum: IntegerNode = {
        op: "convolution",
        name,
        from: placeOf(layer.from),
        input,
        output,
        window,
        paddingValue: 0,
        groups,
        weights: [],
        weightWidth,
        bias: [],
        accumulatorWidth: sumWidth({ reach, weightBits: weightWidth, valueBits }),
      };
      nodes.push(...requantize(sum, relu, layer.table));
    } else if (layer.kind === "add") {
      const [left, right] = layer.from;
      const sum: IntegerNode = {
        op: "add",
        name,
        from: [placeOf(left), placeOf(right)],
        output: layer.output,
        accumulatorWidth: precision.activationBits + 1,
      };
      nodes.push(...requantize(sum, layer.relu, layer.table));
    } else if (layer.kind === "product") {
      const { from, input, output, relu, table } = layer;
      const [left, right] = [placeOf(from[0]), placeOf(from[1])];
      const { inputBits, activationBits } = precision;
      const valueBits = from[0] < 0 ? inputBits : activationBits;
      const sum: IntegerNode = {
        op: "product",
        name,
        from: [left, right],
        input,
        output,
        bias: [],
        accumulatorWidth: valueBits + activationBits + widthFor(input.channels),
      };
      nodes.push(...requantize(sum, relu, table));
    } else if (layer.kind === "max-pool") {
      const { input, output, window } = layer;
      const from = placeOf(layer.from);
      nodes.push({ op: "max-pool", name, from, input, output, window, paddingValue: 0 });
    } else {
      const { channels, output } = layer;
      nodes.push({ op: "concat", name, from: layer.from.map(placeOf), channels, output });
    }
    places.push(nodes.length - 1);
  }
  const output = layers.at(-1)?.output;
  return {
    schemaVersion: 2,
    input: { name: "input", size: inputs, width: precision.inputBits, fraction: 0 },
    nodes,
    output: { name: "output", size: output ? sizeOf(output) : 0, width: scoreBits, fraction: 0 },
  };
}

const scoreBits = 16;
/** Bits of what is looked up, before calibration tells: 8 to 10. */
const tableInputBits = 9;
