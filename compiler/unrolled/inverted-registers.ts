import type { Network } from "./network";
import { outputSignals, type Pipeline } from "./pipeline";

/** More cycles than any network has, so that signal and delay are told apart in one number. */
const mostDelays = 4096;

/** A number for the register that holds a signal `delay` cycles after it was made. */
export const registerKey = (signal: number, delay: number): number => signal * mostDelays + delay;
const signalOf = (key: number): number => Math.floor(key / mostDelays);
const delayOf = (key: number): number => key % mostDelays;

/**
 * Registers that hold the complement of their value, because nothing but subtractions reads them. The carry chain of
 * iCE40 takes a subtrahend only inverted, one more cell for each bit; the table before a register inverts for nothing.
 * None in other families, whose carry chains invert by themselves.
 */
export function invertedRegisters(
  { signals, ...network }: Network,
  { cycles, outputCycle }: Pipeline,
  family: string,
): ReadonlySet<number> {
  if (family !== "ice40") return new Set();
  const subtracted = new Set<number>();
  const read = new Set<number>();
  const use = (source: number, cycle: number, negative: boolean) =>
    (negative ? subtracted : read).add(registerKey(source, cycle - (cycles[source] ?? 0)));
  for (const [id, signal] of signals.entries()) {
    const cycle = cycles[id] ?? 0;
    if (signal.kind === "sum") {
      use(signal.left, cycle, false);
      use(signal.right, cycle, signal.negative);
    } else if (signal.kind !== "input") {
      use(signal.source, cycle, signal.kind === "offset" && signal.negative);
    }
  }
  for (const output of outputSignals({ signals, ...network })) use(output, outputCycle, false);
  // What stands right behind a table is the table's own register.
  const isOwn = (key: number) => delayOf(key) === 1 && signals[signalOf(key)]?.kind === "table";
  return new Set(
    [...subtracted].filter((key) => !read.has(key) && delayOf(key) > 0 && !isOwn(key)),
  );
}
