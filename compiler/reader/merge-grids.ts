import type { Graph, GraphConstant, GraphNode } from "../graph/graph";
import { channels } from "../model/channels";
import {
  fractionOf,
  invalid,
  isQonnxQuant,
  isQuantizer,
  type Quantizer,
  quantizeBy,
  quantizerOf,
  sameGrid,
} from "../model/quantizer";

/**
 * A quantised graph with its weights as real numbers, and each pair of quantising and dequantising as the one node that
 * quantises: what goes on is the real value on the grid.
 *
 * @throws {AppError} `QUANTIZER_INVALID` for scales that are no powers of two and pairs that do not fit together.
 */
export function mergeGrids(graph: Graph): Graph {
  const constants = new Map(graph.constants);
  const nodes: GraphNode[] = [];
  /** Quantised values by name, with the node that made them. */
  const made = new Map<string, { node: GraphNode; quantizer: Quantizer }>();
  const renamed = new Map<string, string>();
  const constantOf = (node: GraphNode) => (index: number) =>
    constants.get(node.inputs[index] ?? "") ?? null;

  for (const each of graph.nodes) {
    const node = { ...each, inputs: each.inputs.map((name) => renamed.get(name) ?? name) };
    const output = node.outputs[0] ?? "";
    const stored = constants.get(node.inputs[0] ?? "");
    if (stored && isFolded(node)) {
      constants.set(output, folded(node, stored, constantOf(node)));
      continue;
    }
    if (!isQuantizer(node)) {
      nodes.push(node);
      continue;
    }
    const quantizer = powersOfTwo(quantizerOf(node, constantOf(node)));
    if (quantizer.scales.length > 1 || quantizer.min.length > 1) {
      throw invalid(node, "has a scale for each channel of computed values; one for all is taken");
    }
    if (isQonnxQuant(node)) {
      nodes.push(node);
    } else if (node.operator === "QuantizeLinear") {
      made.set(output, { node, quantizer });
      nodes.push(node);
    } else {
      const before = made.get(node.inputs[0] ?? "");
      const isSame = before && sameGrid(before.quantizer, quantizer);
      if (!isSame) throw invalid(node, "does not undo the QuantizeLinear right before it");
      renamed.set(output, node.inputs[0] ?? "");
    }
  }
  const outputs = graph.outputs.map((output) => ({
    ...output,
    name: renamed.get(output.name) ?? output.name,
  }));
  return { ...graph, nodes, constants, outputs };
}

/** Nodes that are worked out here when their operand is stored in the file. */
const isFolded = (node: GraphNode): boolean =>
  isQuantizer(node) ||
  (node.domain === "" && (node.operator === "Transpose" || node.operator === "Identity"));

function folded(
  node: GraphNode,
  stored: GraphConstant,
  constant: (index: number) => GraphConstant | null,
): GraphConstant {
  const name = node.outputs[0] ?? "";
  if (node.operator === "Identity") return { ...plain(stored), name };
  if (node.operator === "Transpose") return { ...transposed(node, stored), name };
  const quantizer = powersOfTwo(quantizerOf(node, constant));
  const channelOf = channels(node, quantizer, stored.shape);
  const zeros = node.inputs[2] ? (constant(2)?.values ?? []) : [];
  const zero = (channel: number) => zeros[channel % Math.max(1, zeros.length)] ?? 0;
  const scale = (channel: number) => quantizer.scales[channel % quantizer.scales.length] ?? 1;
  const values = Float64Array.from(stored.values, (value, index) => {
    const channel = channelOf(index);
    if (node.operator === "DequantizeLinear") return (value - zero(channel)) * scale(channel);
    const steps = quantizeBy(quantizer, value, channel);
    return node.operator === "QuantizeLinear" ? steps + zero(channel) : steps * scale(channel);
  });
  return { name, datatype: "FP32", shape: stored.shape, values };
}

function transposed(node: GraphNode, { shape, values, ...rest }: GraphConstant): GraphConstant {
  const [rows = 0, columns = 0] = shape;
  if (shape.length !== 2) throw invalid(node, `turns weights of shape [${shape.join(", ")}]`);
  return {
    ...rest,
    shape: [columns, rows],
    values: Float64Array.from(
      values,
      (_, index) => values[(index % rows) * columns + Math.floor(index / rows)] ?? 0,
    ),
  };
}

const plain = ({ name, datatype, shape, values }: GraphConstant): GraphConstant => ({
  name,
  datatype,
  shape,
  values,
});

function powersOfTwo(quantizer: Quantizer): Quantizer {
  const free = quantizer.scales.find((scale) => fractionOf(scale) === null);
  if (free === undefined) return quantizer;
  throw invalid(
    quantizer,
    `has a scale of ${free}, which is no power of two; any other takes a multiplier for each output`,
  );
}
