import type { MapView, Window } from "../integer/integer-maps";
import type { GraphNode } from "./graph";
import { refuse } from "./refuse";

export interface Placed {
  readonly window: Window;
  readonly height: number;
  readonly width: number;
}

/**
 * Where the windows of a convolution or pooling lie, from the node's attributes.
 *
 * @param dimensions 1 for signals, 2 for images.
 * @see ONNX operators Conv and MaxPool: `pads` are all beginnings, then all ends.
 */
export function windowOf(
  node: GraphNode,
  input: MapView,
  kernel: readonly number[],
  dimensions: number,
): Placed {
  const listOf = (name: string, otherwise: number) => {
    const value = node.attributes[name];
    const given = Array.isArray(value) ? value.map(Number) : [];
    return given.length > 0 ? given : kernel.map(() => otherwise);
  };
  const strides = listOf("strides", 1);
  const dilations = listOf("dilations", 1);
  const given = node.attributes["pads"];
  const pads = Array.isArray(given) && given.length > 0 ? given.map(Number) : null;
  const autoPad = node.attributes["auto_pad"] ?? "NOTSET";
  const ceil = node.attributes["ceil_mode"] === 1;
  if (pads?.some((pad) => pad < 0)) throw refuse(node, "cuts its input by a negative padding");

  const sizes = dimensions === 1 ? [input.width] : [input.height, input.width];
  const axes = sizes.map((size, axis) => {
    const stride = strides[axis] ?? 1;
    const span = ((kernel[axis] ?? 1) - 1) * (dilations[axis] ?? 1) + 1;
    if (autoPad === "SAME_UPPER" || autoPad === "SAME_LOWER") {
      const count = Math.ceil(size / stride);
      const total = Math.max(0, (count - 1) * stride + span - size);
      const before = autoPad === "SAME_UPPER" ? Math.floor(total / 2) : Math.ceil(total / 2);
      return { before, count };
    }
    const before = autoPad === "VALID" ? 0 : (pads?.[axis] ?? 0);
    const after = autoPad === "VALID" ? 0 : (pads?.[axis + dimensions] ?? 0);
    const free = size + before + after - span;
    const count = (ceil ? Math.ceil(free / stride) : Math.floor(free / stride)) + 1;
    // A window that would begin behind the map and its padding is left out.
    const beyond = ceil && (count - 1) * stride >= size + before;
    return { before, count: beyond ? count - 1 : count };
  });
  if (axes.some(({ count }) => count < 1)) {
    throw refuse(node, `has a window larger than its input of ${sizes.join(" × ")}`);
  }
  const pair = <Item>(items: readonly Item[], first: Item): [Item, Item] =>
    dimensions === 1 ? [first, items[0] ?? first] : [items[0] ?? first, items[1] ?? first];
  const [height, width] = pair(
    axes.map(({ count }) => count),
    1,
  );
  return {
    window: {
      kernel: pair(kernel, 1),
      strides: pair(strides, 1),
      dilations: pair(dilations, 1),
      padding: pair(
        axes.map(({ before }) => before),
        0,
      ),
    },
    height,
    width,
  };
}

/** Whether some window reaches over the edge of the map. */
export function reachesOver({ window, height, width }: Placed, input: MapView): boolean {
  const last = (axis: 0 | 1, count: number) =>
    (count - 1) * window.strides[axis] -
    window.padding[axis] +
    (window.kernel[axis] - 1) * window.dilations[axis];
  return (
    window.padding[0] > 0 ||
    window.padding[1] > 0 ||
    last(0, height) >= input.height ||
    last(1, width) >= input.width
  );
}
