import type { Graph } from "@/engines";
import { mostGraphLayers, type WeightRange } from "@/lib/common/contract";

/** Datatypes of trained numbers; wider integers are shapes and places. */
export const trained: ReadonlySet<string> = new Set([
  "FP16",
  "BF16",
  "FP32",
  "FP64",
  "INT8",
  "UINT8",
]);

/** Of one tensor: enough that a quartile is off by less than one number in a hundred. */
const mostSampled = 8192;

/**
 * The five numbers of a box plot for each tensor of weights, the first time that a layer reads it; biases and scales, which are
 * lists, are no weights. Extremes are of all numbers, in one pass; quartiles of large tensors are of a sample.
 */
export function weightRangesOf(graph: Graph): WeightRange[] {
  const seen = new Set<string>();
  return graph.nodes.slice(0, mostGraphLayers).flatMap((node, layer) =>
    node.inputs.flatMap((name) => {
      const constant = graph.constants.get(name);
      if (!constant || constant.shape.length < 2 || !trained.has(constant.datatype)) return [];
      if (seen.has(name)) return [];
      seen.add(name);
      const five = fiveOf(constant.values);
      return five ? [{ layer, tensor: name, shape: [...constant.shape], ...five }] : [];
    }),
  );
}

/** Null where a tensor has less than two numbers, or some that are not finite. */
function fiveOf(
  values: Float64Array,
): Pick<WeightRange, "min" | "q1" | "median" | "q3" | "max" | "sampled"> | null {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (!Number.isFinite(value)) return null;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  if (values.length < 2) return null;
  const sorted = sampleOf(values).sort();
  const [q1 = min, median = min, q3 = min] = [0.25, 0.5, 0.75].map((share) => at(sorted, share));
  const sampled = sorted.length < values.length ? { sampled: sorted.length } : {};
  return { min, q1, median, q3, max, ...sampled };
}

/** All numbers, or some that lie evenly over the tensor and meet each row and column as often as others. */
function sampleOf(values: Float64Array): Float64Array {
  const { length } = values;
  if (length <= mostSampled) return values.slice();
  // Steps of the golden ratio: a whole fraction of the length would meet the same columns again and again.
  const step = (Math.sqrt(5) - 1) / 2;
  return Float64Array.from(
    { length: mostSampled },
    (_, n) => values[Math.floor(((n * step) % 1) * length)] ?? 0,
  );
}

function at(sorted: Float64Array, share: number): number {
  const place = (sorted.length - 1) * share;
  const below = Math.floor(place);
  const low = sorted[below] ?? 0;
  return low + (place - below) * ((sorted[below + 1] ?? low) - low);
}
