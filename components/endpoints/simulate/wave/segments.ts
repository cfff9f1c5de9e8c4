import { changeAt, type SignalTrace } from "@/simulator/run";
import { pixelOf, type WaveSize, type WaveView } from "./view";

/** A stretch of a drawn signal, in pixels: one value, or changes too close to be told apart (null). */
export interface Segment {
  readonly x: number;
  readonly endX: number;
  readonly value: number | null;
}

const leastPx = 2;

/**
 * What is to be drawn of a signal. Takes time by the pixels, not by the changes: where many fall together, they are
 * passed over at once.
 */
export function segmentsOf(
  { cycles, values }: Pick<SignalTrace, "cycles" | "values">,
  view: WaveView,
  size: WaveSize,
): readonly Segment[] {
  const end = Math.min(size.width, pixelOf(view, size.length));
  const segments: Segment[] = [];
  let at = changeAt(cycles, Math.floor(view.from));
  let x = 0;
  while (x < end) {
    const next = cycles[at + 1];
    const nextX = next === undefined ? end : Math.min(end, pixelOf(view, next));
    if (nextX - x >= leastPx || nextX >= end) {
      segments.push({ x, endX: nextX, value: values[Math.max(0, at)] ?? 0 });
      x = nextX;
      at += 1;
      continue;
    }
    // On to the last change that the next pixels still hold.
    const past = changeAt(cycles, view.from + (x + leastPx) * view.cyclesPerPixel);
    const endX = Math.min(end, x + leastPx);
    const before = segments.at(-1);
    if (before?.value === null) segments[segments.length - 1] = { ...before, endX };
    else segments.push({ x, endX, value: null });
    x = endX;
    at = past;
  }
  return segments;
}

/** Where two signals of one bit are both 1. */
export function bothHigh(
  a: SignalTrace,
  b: SignalTrace,
): { readonly cycles: Uint32Array; readonly values: Float64Array } {
  const cycles: number[] = [];
  const values: number[] = [];
  let [i, j] = [0, 0];
  let [left, right] = [0, 0];
  while (i < a.cycles.length || j < b.cycles.length) {
    const [nextA, nextB] = [a.cycles[i] ?? Infinity, b.cycles[j] ?? Infinity];
    const cycle = Math.min(nextA, nextB);
    if (nextA === cycle) left = a.values[i++] ?? 0;
    if (nextB === cycle) right = b.values[j++] ?? 0;
    const value = left !== 0 && right !== 0 ? 1 : 0;
    if (values.at(-1) === value) continue;
    cycles.push(cycle);
    values.push(value);
  }
  return { cycles: Uint32Array.from(cycles), values: Float64Array.from(values) };
}
