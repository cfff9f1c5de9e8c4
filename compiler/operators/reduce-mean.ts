import type { RealTensor } from "../graph/real-tensor";
import { refuse } from "../graph/refuse";
import type { Placed } from "../graph/window-of";
import type { MapView } from "../integer/integer-maps";
import { mapOf, type NodeView, wholeOf } from "../model/maps/chain";
import { pixelWindow } from "../model/maps/layers";
import type { Value } from "../model/maps/value";
import { appendAverage } from "./average";
import { axesOf, type Evaluation, numberOf, type Operator, sizeOf } from "./operator";

function evaluate({ node, input, optional }: Evaluation): RealTensor {
  const { shape, values } = input(0);
  const given = axesOf(node, optional(1)?.values) ?? [];
  const axes = new Set(given.map((axis) => (axis < 0 ? axis + shape.length : axis)));
  const over = axes.size > 0 ? axes : new Set(shape.keys());
  const kept = shape.map((size, axis) => (over.has(axis) ? 1 : size));
  const sums = new Float64Array(sizeOf(kept));
  for (const [at, value] of values.entries()) {
    let rest = at;
    let to = 0;
    let stride = 1;
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      const size = shape[axis] ?? 1;
      if (!over.has(axis)) {
        to += (rest % size) * stride;
        stride *= size;
      }
      rest = Math.floor(rest / size);
    }
    sums[to] = (sums[to] ?? 0) + value;
  }
  const keeps = numberOf(node, "keepdims", 1) === 1;
  const count = values.length / sums.length;
  return {
    shape: keeps ? kept : shape.filter((_, axis) => !over.has(axis)),
    values: sums.map((sum) => sum / count),
  };
}

/** Over all pixels: a global average with or without the dimensions kept. */
function read({ node, chain, value, constant }: NodeView): Value {
  const own = wholeOf(chain, value(0), node);
  const rank = own.shape.length + 1;
  const axes = (axesOf(node, constant(1)?.values) ?? [])
    .map((axis) => (axis < 0 ? axis + rank : axis))
    .sort();
  const keeps = numberOf(node, "keepdims", 1) === 1;
  const channelAxis = own.shape.map((_, at) => at + 1).filter((axis) => !axes.includes(axis));
  if (axes.includes(0) || channelAxis.length !== 1 || axes.length !== own.shape.length - 1) {
    throw refuse(node, `over axes ${axes.join(", ")} is not an average over all pixels`);
  }
  const [channel = 1] = channelAxis;
  const map = mapOf(chain, own);
  const channels = own.shape[channel - 1] ?? 0;
  const strideOfChannel = sizeOf(own.shape.slice(channel));
  if (channels !== map.channels || (channels > 1 && own.order[strideOfChannel] !== 1)) {
    throw refuse(node, "averages over something else than the pixels of a map");
  }
  const input: MapView = { ...map, strides: [map.width * channels, channels, 1] };
  const placed: Placed = {
    window: { ...pixelWindow, kernel: [map.height, map.width] },
    height: 1,
    width: 1,
  };
  const layer = appendAverage({ node, chain }, { from: own.layer, input, placed });
  const shape = keeps ? own.shape.map((_, at) => (at + 1 === channel ? channels : 1)) : [channels];
  return { layer, shape, order: Int32Array.from({ length: channels }, (_, c) => c) };
}

export const reduceMean: Operator = { evaluate, read, isLayer: true };
