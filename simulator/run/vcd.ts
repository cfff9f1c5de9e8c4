import type { Trace } from "./trace";

export interface VcdOptions {
  /** The scope that the signals stand in. */
  readonly top: string;
  /** The clock's name; it rises where a cycle begins and falls in its middle. */
  readonly clock: string;
  readonly clockHz: number;
  /** Lines in front, such as the digest of what was simulated. */
  readonly comment?: string;
}

const picosecondsPerSecond = 1e12;

/**
 * A trace as a value change dump, which every waveform viewer opens. Times are picoseconds, rounded for each edge by
 * itself, so that no error adds up. The same trace gives the same text.
 *
 * @see IEEE 1364-2005 §18
 */
export function writeVcd(
  trace: Trace,
  { top, clock, clockHz, comment = "" }: VcdOptions,
): readonly string[] {
  const clockId = identifier(0);
  const lanes = trace.signals.map((signal, index) => ({
    ...signal,
    id: identifier(index + 1),
    next: 0,
  }));
  const time = (cycle: number) => Math.round((cycle * picosecondsPerSecond) / clockHz);
  const head = [
    ...(comment === "" ? [] : [`$comment ${comment.replaceAll("$", "")} $end`]),
    "$timescale 1ps $end",
    `$scope module ${top} $end`,
    `$var wire 1 ${clockId} ${clock} $end`,
    ...lanes.map(({ id, name, width }) => `$var wire ${width} ${id} ${name}${range(width)} $end`),
    "$upscope $end",
    "$enddefinitions $end",
  ];
  const chunks = [`${head.join("\n")}\n`];
  let text = "";
  for (let cycle = 0; cycle < trace.length; cycle++) {
    text += `#${time(cycle)}\n`;
    if (cycle === 0) text += "$dumpvars\n";
    text += `1${clockId}\n`;
    for (const lane of lanes) {
      if (lane.cycles[lane.next] !== cycle) continue;
      text += change(lane.values[lane.next++] ?? 0, lane.width, lane.id);
    }
    if (cycle === 0) text += "$end\n";
    text += `#${time(cycle + 0.5)}\n0${clockId}\n`;
    if (text.length < chunkLength) continue;
    chunks.push(text);
    text = "";
  }
  chunks.push(`${text}#${time(trace.length)}\n`);
  return chunks;
}

const chunkLength = 1 << 20;
const change = (value: number, width: number, id: string) =>
  width === 1 ? `${value}${id}\n` : `b${value.toString(2)} ${id}\n`;
const range = (width: number) => (width === 1 ? "" : ` [${width - 1}:0]`);

/** Identifier codes are made of the printable characters `!` to `~`. */
function identifier(index: number): string {
  const [first, count] = [33, 94];
  const low = String.fromCharCode(first + (index % count));
  return index < count ? low : `${identifier(Math.floor(index / count) - 1)}${low}`;
}
