import { countAdders, type IntegerGraph } from "@/compiler";
import type { AdderCount } from "./adder-outline";

/** Levels that rounding and clamping take besides those of the compiler's own adders, for each layer. */
const levelsPerLayer = 2;
/**
 * Bits of adders that da4ml counts a table of a smooth function as, for each two bits of its answer and 32 entries. As Yosys 0.55
 * maps tanh: 180 and 159 cells of an ECP5 and an iCE40 for 10 bits to 8, which come to 173 and 218 here; 88 and 77 for 8 to 8.
 */
const table = { entries: 32, bits: 2 } as const;
/** Bits of adders for a digit. */
const bitsPerDigit = 6.5;
/** Of the larger of two values: a comparison and a choice. */
const perChoice = { digits: 2, levels: 2 } as const;

const none: AdderCount = { digits: 0, levels: 0 };
const plus = (one: AdderCount, other: AdderCount): AdderCount => ({
  digits: one.digits + other.digits,
  levels: one.levels + other.levels,
});

/** The adders of a network: what its weights say, without making any. Tables count as adders of as many cells. */
export function countNetwork(graph: IntegerGraph): AdderCount {
  return [countDense(graph), ...graph.nodes.map(countOther)].reduce(plus, none);
}

/** Dense layers, each of which is as deep as those before it leave its values. */
function countDense({ nodes }: IntegerGraph): AdderCount {
  const layers = nodes.flatMap((node, at) => {
    const isLookedUp = nodes[at + 2]?.op === "table" && nodes[at + 1]?.op === "requantize";
    return node.op === "dense" ? [{ ...node, hasTable: isLookedUp }] : [];
  });
  const counted = countAdders(layers).map(({ digits, levels }) => ({
    digits,
    levels: levels + levelsPerLayer,
  }));
  return counted.reduce(plus, none);
}

function countOther(node: IntegerGraph["nodes"][number]): AdderCount {
  switch (node.op) {
    case "convolution": {
      const { output, bias, weights } = node;
      const layer = {
        inputSize: weights.length / output.channels,
        outputSize: bias.length,
        weights,
        hasTable: false,
      };
      const counted = countAdders([layer]).reduce(plus, none);
      const pixels = output.height * output.width;
      return { digits: counted.digits * pixels, levels: counted.levels + levelsPerLayer };
    }
    case "table": {
      const bits =
        Math.ceil(node.values.length / table.entries) * Math.ceil(node.width / table.bits);
      return { digits: Math.round((node.size * bits) / bitsPerDigit), levels: 0 };
    }
    case "max-pool": {
      const { kernel } = node.window;
      const choices = kernel[0] * kernel[1] - 1;
      const values = node.output.height * node.output.width * node.output.channels;
      return { digits: values * choices * perChoice.digits, levels: choices * perChoice.levels };
    }
    case "add":
      return { digits: node.output.height * node.output.width * node.output.channels, levels: 1 };
    default:
      return none;
  }
}
