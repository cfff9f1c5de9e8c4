import { bytesOnLine } from "@/compiler/forecast";
import type { Manifest } from "@/lib/common/contract";

/** A batch is rows in sequence over the link; it should not hold the board for longer. */
const batchS = 0.25;
const mostRows = 1024;

/** The largest batch worth sending at once, from how long its rows take on a serial line; null: on another link. */
export function maxBatchSizeOf(
  core: Pick<NonNullable<Manifest["core"]>, "inputBytes" | "outputBytes">,
  baud: number | null,
): number {
  if (baud === null) return mostRows;
  return Math.min(mostRows, Math.max(1, Math.floor((batchS * baud) / (10 * bytesOnLine(core)))));
}
