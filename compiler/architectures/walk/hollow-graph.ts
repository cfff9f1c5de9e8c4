import type { IntegerGraph, IntegerNode } from "../../integer/integer-graph";
import type { HollowNode, WalkOutline } from "./walk-outline";

/** The integer graph of an outline: everything that its layout depends on, and nothing else. */
export function hollowGraph({
  inputs,
  inputBits,
  outputs,
  outputBits,
  nodes,
}: WalkOutline): IntegerGraph {
  return {
    schemaVersion: 2,
    input: { name: "input", size: inputs, width: inputBits, fraction: 0 },
    nodes: nodes.map(nodeOf),
    output: { name: "output", size: outputs, width: outputBits, fraction: 0 },
  };
}

function nodeOf(node: HollowNode, index: number): IntegerNode {
  const name = `node_${index}`;
  switch (node.op) {
    case "convolution": {
      const { lifts, ...rest } = node;
      const weights = lifts ? Array<number>(node.output.channels).fill(liftedWeight) : [];
      return { ...rest, name, paddingValue: 0, weights, bias: [] };
    }
    case "max-pool":
      return { ...node, name, paddingValue: 0 };
    case "product":
      return { ...node, name, bias: [] };
    case "requantize": {
      const { rounding, bounds, ...rest } = node;
      return {
        ...rest,
        name,
        shift: [0],
        fraction: 0,
        ...(rounding ? { rounding } : {}),
        ...(bounds ? { bounds } : {}),
      };
    }
    case "table": {
      const { image, ...rest } = node;
      return { ...rest, name: `table_${image}`, values: [], fraction: 0 };
    }
    default:
      return { ...node, name };
  }
}

/** One for each channel stands for all of its weights: held only with zeros taken off its end. */
const liftedWeight = 256;
