import { fail } from "@/lib/common/errors";
import type { MapView } from "../../integer/integer-maps";
import type { Place } from "./storage";
import { type Loop, loop } from "./sweep";

/** Bytes from a row, a pixel, a channel to the next. */
export interface Addresses {
  readonly base: number;
  readonly y: number;
  readonly x: number;
  readonly c: number;
  readonly place: Place;
}

/** A view of flat values as addresses, where pixels may lie further apart than they have channels. */
export function addressesOf(view: MapView, place: Place, name: string): Addresses {
  const { channels, pixelStride } = place;
  const apart = (stride: number) => {
    if (pixelStride === channels || stride < channels) return stride;
    if (stride % channels === 0) return (stride / channels) * pixelStride;
    throw fail("MODEL_UNSUPPORTED", `Node "${name}" reads a joined map in another order.`, {
      hint: "Use a CPU board, with the engine of the model's own make.",
    });
  };
  const [y, x, c] = view.strides;
  return { base: place.base + (view.first ?? 0), y: apart(y), x: apart(x), c: apart(c), place };
}

/** Channels that follow each other go on into the next pixel where a map is seen as a vector. */
export function splitChannels({ c, place }: Addresses, count: number, name: string): Loop[] {
  const { channels, pixelStride } = place;
  if (pixelStride === channels || count <= channels || c !== 1)
    return [loop(count, { address: c })];
  if (count % channels !== 0) throw new RangeError(`${name} ends within a pixel.`);
  return [loop(channels, { address: 1 }), loop(count / channels, { address: pixelStride })];
}
