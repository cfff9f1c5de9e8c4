import type { IntegerGraph, IntegerNode } from "../../integer/integer-graph";
import type { MapView } from "../../integer/integer-maps";
import { numbering } from "../../integer/numbering";
import { liftsOf } from "./lifts";
import type { HollowNode, WalkOutline } from "./walk-outline";

/** What the walk's estimate depends on, of a graph whose tables are level. @throws {RangeError} for any other graph. */
export function outlineWalk({ input, nodes, output }: IntegerGraph): WalkOutline {
  const numberOf = numbering();
  return {
    inputs: input.size,
    inputBits: input.width,
    outputs: output.size,
    outputBits: output.width,
    nodes: nodes.map((node) => hollowed(node, numberOf)),
  };
}

function hollowed(node: IntegerNode, numberOf: (key: string) => number): HollowNode {
  switch (node.op) {
    case "convolution": {
      const { op, from, output, window, groups, weightWidth, accumulatorWidth } = node;
      const lifts = liftsOf(node).some((lift) => lift > 0);
      const input = viewed(node.input);
      return { op, from, input, output, window, groups, weightWidth, accumulatorWidth, lifts };
    }
    case "max-pool": {
      const { op, from, output, window } = node;
      return { op, from, input: viewed(node.input), output, window };
    }
    case "add": {
      const { op, from, output, accumulatorWidth } = node;
      return { op, from, output, accumulatorWidth };
    }
    case "product": {
      const { op, from, output, accumulatorWidth } = node;
      return { op, from, input: viewed(node.input), output, accumulatorWidth };
    }
    case "concat": {
      const { op, from, channels, output } = node;
      return { op, from, channels, output };
    }
    case "requantize": {
      const { op, from, size, width, signed, relu, rounding = null, bounds = null } = node;
      return { op, from, size, width, signed, relu, rounding, bounds };
    }
    case "table": {
      const { op, from, size, inputWidth, inputSigned, width, signed } = node;
      const image = numberOf(node.values.join());
      return { op, from, size, image, inputWidth, inputSigned, width, signed };
    }
    default:
      throw new RangeError(`${node.name} is no node of feature maps.`);
  }
}

const viewed = ({ first = 0, ...view }: MapView) => ({ first, ...view });
