import type { RealTensor } from "../graph/real-tensor";
import type { Evaluation } from "./operator";
import { windowsOf } from "./windows";

/** Each channel by itself, each window reduced to one value. @param reduce Given the values inside of the map, and the window's size. */
export function pooled(
  context: Evaluation,
  reduce: (values: readonly number[], size: number) => number,
): RealTensor {
  const { node, input } = context;
  const kernel = node.attributes["kernel_shape"];
  const { rows, view, shape, places } = windowsOf(
    context,
    Array.isArray(kernel) ? kernel.map(Number) : input(0).shape.slice(2),
  );
  const { values } = input(0);
  const step = view.strides[2];
  const result = new Float64Array(rows * view.channels * places.length);
  let at = 0;
  for (let map = 0; map < rows * view.channels; map++) {
    for (const seen of places) {
      const inside = seen.filter((place) => place >= 0);
      const own = inside.map((place) => values[map * step + place] ?? 0);
      result[at++] = reduce(own, seen.length);
    }
  }
  return { shape: [rows, view.channels, ...shape], values: result };
}
