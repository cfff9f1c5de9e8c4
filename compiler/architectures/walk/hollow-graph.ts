import type { MapOutline } from "@/lib/common/contract";
import type { IntegerGraph, IntegerNode, RequantizeNode } from "../../integer/integer-graph";
import { sizeOf } from "../../integer/integer-maps";
import { widthFor } from "../../integer/range";
import { type Precision, weightBitsOf } from "../../passes/precision";
import { sumWidth } from "../../passes/sum-width";

const scoreBits = 16;
/** Bits of what is looked up, before calibration tells: 8 to 10. */
const tableInputBits = 9;

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
    const width = isLast ? scoreBits : precision.activationBits;
    const node = nodeOf(layer, { place, placeOf, precision });
    nodes.push(node, ...behindSum(layer, { name: node.name, from: nodes.length, width }));
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

interface LayerPlace {
  readonly place: number;
  /** The last node of a layer; −1 for the input. */
  readonly placeOf: (layer: number) => number;
  readonly precision: Precision;
}

/** The node that a layer is, without what rounds its sums. */
function nodeOf(layer: MapOutline, at: LayerPlace): IntegerNode {
  const { place, placeOf, precision } = at;
  const name = `layer_${place}`;
  switch (layer.kind) {
    case "convolution":
      return convolutionNode(layer, name, at);
    case "add": {
      const [left, right] = layer.from;
      const from = [placeOf(left), placeOf(right)] as const;
      const accumulatorWidth = precision.activationBits + 1;
      return { op: "add", name, from, output: layer.output, accumulatorWidth };
    }
    case "product":
      return productNode(layer, name, at);
    case "max-pool": {
      const { input, output, window } = layer;
      const from = placeOf(layer.from);
      return { op: "max-pool", name, from, input, output, window, paddingValue: 0 };
    }
    case "concat": {
      const { channels, output } = layer;
      return { op: "concat", name, from: layer.from.map(placeOf), channels, output };
    }
  }
}

function convolutionNode(
  layer: Extract<MapOutline, { kind: "convolution" }>,
  name: string,
  { place, placeOf, precision }: LayerPlace,
): IntegerNode {
  const { from, input, output, window, groups, reach } = layer;
  const weightWidth = weightBitsOf(precision, place);
  const valueBits = from < 0 ? precision.inputBits : precision.activationBits;
  return {
    op: "convolution",
    name,
    from: placeOf(from),
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
}

function productNode(
  { from, input, output }: Extract<MapOutline, { kind: "product" }>,
  name: string,
  { placeOf, precision: { inputBits, activationBits } }: LayerPlace,
): IntegerNode {
  const valueBits = from[0] < 0 ? inputBits : activationBits;
  return {
    op: "product",
    name,
    from: [placeOf(from[0]), placeOf(from[1])],
    input,
    output,
    bias: [],
    accumulatorWidth: valueBits + activationBits + widthFor(input.channels),
  };
}

/**
 * What follows a layer that sums: rounding, and the table where a function is looked up. Nothing behind the others.
 *
 * @param sum The name and place of the sum, and the bits of what leaves the layer.
 */
function behindSum(
  layer: MapOutline,
  { name, from, width }: { readonly name: string; readonly from: number; readonly width: number },
): IntegerNode[] {
  if (layer.kind === "max-pool" || layer.kind === "concat") return [];
  const { relu, table, output } = layer;
  const size = sizeOf(output);
  const requantize: RequantizeNode = {
    op: "requantize",
    name: `${name}/requantize`,
    from,
    size,
    shift: [0],
    width: table === undefined ? width : tableInputBits,
    signed: !relu,
    fraction: 0,
    relu,
  };
  if (table === undefined) return [requantize];
  const lookUp: IntegerNode = {
    op: "table",
    name: `table_${table}`,
    from: from + 1,
    size,
    inputWidth: tableInputBits,
    inputSigned: true,
    values: [],
    width,
    signed: true,
    fraction: 0,
  };
  return [requantize, lookUp];
}
