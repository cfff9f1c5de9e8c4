import { refuse } from "../../graph/refuse";
import { append, mapOf, type NodeView, numberOf } from "./chain";
import type { Value } from "./value";

/** Maps beside each other, channel after channel. */
export function concat({ node, chain, value }: NodeView): Value {
  const parts = node.inputs.map((_, index) => value(index));
  const [first] = parts;
  const rank = (first?.shape.length ?? 0) + 1;
  const given = numberOf(node, "axis", 1);
  const axis = (given < 0 ? given + rank : given) - 1;
  if (!first) throw refuse(node, "joins nothing");
  // Vectors are one pixel, whatever map they were flattened from.
  const maps = parts.map((part) => {
    const map = mapOf(chain, part);
    const isVector = part.shape.length === 1;
    return isVector ? { height: 1, width: 1, channels: part.order.length } : map;
  });
  const fits = parts.every((part, index) => {
    const map = maps[index];
    const others = part.shape.filter((_, at) => at !== axis);
    const wanted = first.shape.filter((_, at) => at !== axis);
    const stride = part.shape.slice(axis + 1).reduce((product, size) => product * size, 1);
    const channels = part.shape[axis] ?? 0;
    return (
      part.shape.length === first.shape.length &&
      others.every((size, at) => size === wanted[at]) &&
      channels === map?.channels &&
      map.width === maps[0]?.width &&
      (part.shape.length === 1 || channels === 1 || part.order[stride] === 1)
    );
  });
  if (!fits) throw refuse(node, "joins something else than the channels of maps of one size");
  const channels = maps.map((map) => map.channels);
  const total = channels.reduce((sum, each) => sum + each, 0);
  const output = {
    height: maps[0]?.height ?? 1,
    width: maps[0]?.width ?? 1,
    channels: total,
  };
  const from = parts.map((part) => part.layer);
  const layer = append(chain, { kind: "concat", name: node.name, from, channels, output });
  const shape = first.shape.with(axis, total);
  const order = new Int32Array(output.height * output.width * total);
  const inner = shape.slice(axis + 1).reduce((product, size) => product * size, 1);
  const offsets = channels.map((_, index) =>
    channels.slice(0, index).reduce((sum, each) => sum + each, 0),
  );
  for (let flat = 0; flat < order.length; flat++) {
    const c = Math.floor(flat / inner) % total;
    const index = offsets.findLastIndex((offset) => offset <= c);
    const own = channels[index] ?? 1;
    const offset = offsets[index] ?? 0;
    const outer = Math.floor(flat / (inner * total));
    const place = parts[index]?.order[(outer * own + (c - offset)) * inner + (flat % inner)] ?? 0;
    order[flat] = Math.floor(place / own) * total + offset + (place % own);
  }
  return { layer, shape, order, version: 0 };
}
