/** The part of a wave that is looked at: its first cycle, not necessarily whole, and how many cycles one pixel holds. */
export interface WaveView {
  readonly from: number;
  readonly cyclesPerPixel: number;
}

/** A trace of so many cycles on a drawing of so many pixels. */
export interface WaveSize {
  readonly length: number;
  readonly width: number;
}

const widestCyclePx = 56;

/** All of it, or as much as fits where a cycle is as wide as is useful. */
export function showAll({ length, width }: WaveSize): WaveView {
  return clamp({ from: 0, cyclesPerPixel: length / Math.max(1, width) }, { length, width });
}

/** Nearer (factor below 1) or farther, with the cycle under a pixel staying there. */
export function zoom(view: WaveView, factor: number, atPx: number, size: WaveSize): WaveView {
  const limits = limitsOf(size);
  const cyclesPerPixel = Math.min(
    limits.most,
    Math.max(limits.least, view.cyclesPerPixel * factor),
  );
  const under = view.from + atPx * view.cyclesPerPixel;
  return clamp({ from: under - atPx * cyclesPerPixel, cyclesPerPixel }, size);
}

/** Moved to the right by so many pixels of the drawing. */
export function pan(view: WaveView, byPx: number, size: WaveSize): WaveView {
  return clamp({ ...view, from: view.from + byPx * view.cyclesPerPixel }, size);
}

/** Moved no farther than needed to show a cycle whole. */
export function reveal(view: WaveView, cycle: number, size: WaveSize): WaveView {
  const shown = size.width * view.cyclesPerPixel;
  if (cycle < view.from) return clamp({ ...view, from: cycle - shown / 4 }, size);
  if (cycle + 1 <= view.from + shown) return view;
  return clamp({ ...view, from: cycle + 1 - (shown * 3) / 4 }, size);
}

/** The cycle under a pixel, within the trace. */
export function cycleAt(view: WaveView, atPx: number, { length }: WaveSize): number {
  const cycle = Math.floor(view.from + atPx * view.cyclesPerPixel);
  return Math.min(Math.max(0, length - 1), Math.max(0, cycle));
}

/** Where a cycle begins, in pixels from the left edge; negative left of it. */
export const pixelOf = (view: WaveView, cycle: number): number =>
  (cycle - view.from) / view.cyclesPerPixel;

/** Cycles to write on the axis: a step of 1, 2 or 5 times a power of ten, some 80 pixels apart. */
export function ticksOf(view: WaveView, { length, width }: WaveSize): readonly number[] {
  const wanted = Math.max(1, view.cyclesPerPixel * 80);
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= wanted);
  const by = step ?? wanted;
  const ticks: number[] = [];
  const end = Math.min(length, view.from + width * view.cyclesPerPixel);
  for (let cycle = Math.ceil(view.from / by) * by; cycle < end; cycle += by) ticks.push(cycle);
  return ticks;
}

function limitsOf({ length, width }: WaveSize): { least: number; most: number } {
  const least = 1 / widestCyclePx;
  return { least, most: Math.max(least, length / Math.max(1, width)) };
}

function clamp(view: WaveView, size: WaveSize): WaveView {
  const { least, most } = limitsOf(size);
  const cyclesPerPixel = Math.min(most, Math.max(least, view.cyclesPerPixel));
  const last = Math.max(0, size.length - size.width * cyclesPerPixel);
  return { from: Math.min(last, Math.max(0, view.from)), cyclesPerPixel };
}
