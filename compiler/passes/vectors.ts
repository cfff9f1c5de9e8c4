import { boundsOf } from "@/lib/common/fixed-point";
import type { IntegerGraph } from "../integer/integer-graph";
import { layersOf } from "../integer/layers";
import { requantizedBounds, requantizeElement } from "../integer/requantize";
import { randomFrom } from "../random";

const randomRows = 1000;
const userRows = 512;
const edgeOutputs = 32;
const seed = 1;

/**
 * The vector file that every level answers: all zero, all minimum, all maximum, each input alone at maximum and minimum,
 * rows around saturation edges, 1,000 seeded random rows, and the user's own rows.
 */
export function verificationVectors(
  graph: IntegerGraph,
  own: readonly Int8Array[] = [],
): Int8Array[] {
  const { size, width } = graph.input;
  const { min, max } = boundsOf({ width, signed: true });
  const filled = (value: number) => new Int8Array(size).fill(value);
  const alone = (index: number, value: number) => filled(0).fill(value, index, index + 1);
  const extremes = [filled(0), filled(min), filled(max)];
  const single = Array.from({ length: size }, (_, index) => [
    alone(index, max),
    alone(index, min),
  ]).flat();
  const random = randomFrom(seed);
  const drawn = Array.from({ length: randomRows }, () =>
    Int8Array.from({ length: size }, () => random.integer(min, max)),
  );
  return [
    ...extremes,
    ...single,
    ...saturationEdges(graph, drawn),
    ...drawn,
    ...own.slice(0, userRows),
  ];
}

/**
 * Rows on either side of where an output of the first layer reaches a bound: one input of a random row walks through its
 * range, and the neighbouring values between which the output starts or stops saturating are kept.
 */
function saturationEdges(graph: IntegerGraph, rows: readonly Int8Array[]): Int8Array[] {
  const [first] = layersOf(graph);
  if (!first) return [];
  const { dense, requantize } = first;
  const { min, max } = requantizedBounds(requantize);
  const inputs = boundsOf({ width: graph.input.width, signed: true });
  const edges: Int8Array[] = [];
  for (let output = 0; output < Math.min(requantize.size, edgeOutputs); output++) {
    const base = rows[output % rows.length] ?? new Int8Array(dense.inputSize);
    const input = output % dense.inputSize;
    const weights = dense.weights.slice(output * dense.inputSize, (output + 1) * dense.inputSize);
    const weight = weights[input] ?? 0;
    const others = weights.reduce(
      (sum, value, index) => sum + (index === input ? 0 : value * (base[index] ?? 0)),
      dense.bias[output] ?? 0,
    );
    const side = (value: number) => {
      const result = requantizeElement(requantize, others + weight * value, output);
      return result === min ? -1 : result === max ? 1 : 0;
    };
    for (let value = inputs.min; value < inputs.max; value++) {
      if (side(value) === side(value + 1)) continue;
      edges.push(base.with(input, value), base.with(input, value + 1));
    }
  }
  return edges;
}
