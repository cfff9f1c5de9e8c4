import type {
  DenseNode,
  IntegerGraph,
  IntegerNode,
  IntegerTree,
  RequantizeNode,
  SumNode,
  TableNode,
  TreesNode,
} from "./integer-graph";
import { requantizeElement } from "./requantize";
import { runMapNode } from "./run-maps";

/** What the integer graph made of one row. */
export interface IntegerRun {
  readonly output: Int32Array;
  /** What every node made of the row, by name: exact integers. */
  readonly nodes: ReadonlyMap<string, readonly number[]>;
}

/**
 * Runs one row through the integer graph: the software model that simulation and board must equal bit for bit.
 *
 * @param row Quantised inputs, `graph.input.size` of them.
 * @throws {RangeError} when a sum leaves the width that its node declares, or the row has another size.
 */
export function runIntegerGraph(graph: IntegerGraph, row: ArrayLike<number>): IntegerRun {
  if (row.length !== graph.input.size) {
    throw new RangeError(`The row has ${row.length} values, the graph takes ${graph.input.size}.`);
  }
  const nodes = new Map<string, readonly number[]>();
  const input = Array.from(row);
  const results: (readonly number[])[] = [];
  const valuesOf = (place: number) => (place < 0 ? input : (results[place] ?? []));
  for (const node of graph.nodes) {
    const values = runNode(node, valuesOf);
    results.push(values);
    nodes.set(node.name, values);
  }
  return { output: Int32Array.from(valuesOf(graph.nodes.length - 1)), nodes };
}

/** @param valuesOf The values of an earlier node by its place, of the input for −1. */
function runNode(
  node: IntegerNode,
  valuesOf: (place: number) => readonly number[],
): readonly number[] {
  switch (node.op) {
    case "dense":
      return runDense(node, valuesOf(node.from));
    case "requantize":
      return runRequantize(node, valuesOf(node.from));
    case "table":
      return runTable(node, valuesOf(node.from));
    case "trees":
      return runTrees(node, valuesOf(node.from));
    case "sum":
      return runSum(node, valuesOf(node.from));
    default:
      return runMapNode(node, valuesOf);
  }
}

function runDense(node: DenseNode, values: readonly number[]): number[] {
  const limit = 2 ** (node.accumulatorWidth - 1);
  return node.bias.map((bias, output) => {
    const base = output * node.inputSize;
    let sum = bias;
    for (const [input, value] of values.entries()) {
      sum += (node.weights[base + input] ?? 0) * value;
    }
    if (sum < -limit || sum >= limit) {
      throw new RangeError(`${node.name}: ${sum} does not fit ${node.accumulatorWidth} bits.`);
    }
    return sum;
  });
}

function runRequantize(node: RequantizeNode, values: readonly number[]): number[] {
  return values.map((value, element) => requantizeElement(node, value, element));
}

function runTable({ name, inputWidth, values: entries }: TableNode, values: readonly number[]) {
  const patterns = 2 ** inputWidth;
  return values.map((value) => {
    const entry = entries[value < 0 ? value + patterns : value];
    if (entry !== undefined) return entry;
    throw new RangeError(`${name}: ${value} does not fit ${inputWidth} bits.`);
  });
}

function runTrees({ features, trees }: TreesNode, bytes: readonly number[]): readonly number[] {
  const byte = (at: number): number => (bytes[at] ?? 0) & 255;
  const ranks = features.map(({ offset, bytes: size }) => {
    const missing = 256 ** size - 1;
    return { rank: byte(offset) + (size === 2 ? 256 * byte(offset + 1) : 0), missing };
  });
  return trees.flatMap((tree) => runTree(tree, ranks));
}

function runTree(
  tree: IntegerTree,
  ranks: readonly { readonly rank: number; readonly missing: number }[],
): readonly number[] {
  let node = tree[0];
  while (node && "limit" in node) {
    const { rank = 0, missing = 0 } = ranks[node.feature] ?? {};
    const holds = rank < node.limit || (rank === missing && node.missingYes);
    node = tree[holds ? node.yes : node.no];
  }
  return node?.values ?? [];
}

function runSum({ name, terms, bias, width }: SumNode, values: readonly number[]): number[] {
  const limit = 2 ** (width - 1);
  return terms.map((places, output) => {
    const sum = places.reduce((total, place) => total + (values[place] ?? 0), bias[output] ?? 0);
    if (sum >= -limit && sum < limit) return sum;
    throw new RangeError(`${name}: ${sum} does not fit ${width} bits.`);
  });
}
