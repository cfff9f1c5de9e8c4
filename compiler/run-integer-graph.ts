import { requantize } from "@/lib/common/fixed-point";
import type { DenseNode, IntegerGraph, RequantizeNode } from "./integer-graph";

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
  let values: readonly number[] = Array.from(row);
  for (const node of graph.nodes) {
    values = node.op === "dense" ? runDense(node, values) : runRequantize(node, values);
    nodes.set(node.name, values);
  }
  return { output: Int32Array.from(values), nodes };
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
  return values.map((value, element) => requantize(value, node.shift[element] ?? 0, node));
}
