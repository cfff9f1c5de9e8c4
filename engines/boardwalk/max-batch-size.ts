import type { IntegerGraph } from "@/compiler";
import { bytesOnLine } from "@/compiler/forecast";

/** A batch is rows in sequence over the link; it should not hold the board for longer. */
const batchS = 0.25;
const mostRows = 1024;

/** The largest batch worth sending at once, from how long its rows take on a serial line; null: on another link. */
export function maxBatchSizeOf({ input, output }: IntegerGraph, baud: number | null): number {
  if (baud === null) return mostRows;
  const outputBytes = (output.size * output.width) / 8;
  const bytes = bytesOnLine({ inputBytes: input.size, outputBytes });
  return Math.min(mostRows, Math.max(1, Math.floor((batchS * baud) / (10 * bytes))));
}
