import type { FamilyCosts } from "@/boards";
import { type Range, widthOf } from "../../integer/range";
import type { Network, Signal } from "./network";
import { adderWidth, isWiring } from "./network-builder";
import { outputSignals, type Pipeline } from "./pipeline";
import { twoColours, type Wish } from "./two-colours";

/** More cycles than any network has, so that signal and delay are told apart in one number. */
const mostDelays = 4096;

/** A number for the register that holds a signal `delay` cycles after it was made. */
export const registerKey = (signal: number, delay: number): number => signal * mostDelays + delay;

/** What a wish that is not met costs, in tables; an adder's also a table and a wire before its chain. */
const wishCosts = {
  /** A bit of a subtrahend inverted before the chain, in a cell of its own. */
  operandBit: 2,
  operand: 8,
  /** A bit inverted on its way between registers, in the cell of the second. */
  wireBit: 1,
  /** A bit of a chain before a top bit that is nothing but the carry, which leaves the chain through another cell. */
  carryBit: 0.5,
  /** What must not be. */
  fixed: 1e9,
} as const;

/**
 * Registers that hold the complement of their value. The carry chain of an iCE40 takes a subtrahend only inverted, one more
 * cell for each bit and a longer way; the table before a register inverts for nothing. A sum needs both operands in one
 * form, `~a + ~b + 1` being `~(a + b)`, and a difference one in each, `~a + b` being `~(a - b)`, so that registers are
 * chosen together. None in other families, whose carry chains invert by themselves.
 */
export function invertedRegisters(
  network: Network,
  pipeline: Pipeline,
  { needsComplements }: FamilyCosts,
): ReadonlySet<number> {
  if (!needsComplements) return new Set();
  const keys: number[] = [];
  const nodes = new Map<number, number>();
  const nodeOf = (signal: number, delay: number): number => {
    // What no register holds is there as it is: node 0.
    if (delay === 0) return 0;
    const key = registerKey(signal, delay);
    const known = nodes.get(key);
    if (known !== undefined) return known;
    keys.push(key);
    nodes.set(key, keys.length);
    return keys.length;
  };
  const wishes = wishesOf(network, pipeline, nodeOf);
  const colours = twoColours(keys.length + 1, wishes);
  return new Set(keys.filter((_, index) => colours[index + 1]));
}

function wishesOf(
  network: Network,
  { cycles, delays, outputCycle }: Pipeline,
  nodeOf: (signal: number, delay: number) => number,
): Wish[] {
  const { signals } = network;
  const wishes: Wish[] = [];
  const wish = (one: number, other: number, differ: boolean, cost: number) => {
    if (one !== other && cost > 0) wishes.push({ one, other, differ, cost });
  };
  for (const [id, signal] of signals.entries()) {
    const cycle = cycles[id] ?? 0;
    const read = (source: number) => nodeOf(source, cycle - (cycles[source] ?? 0));
    const held = (delays[id] ?? 0) > 0 ? nodeOf(id, 1) : null;
    for (let delay = 2; delay <= (delays[id] ?? 0); delay++) {
      wish(nodeOf(id, delay - 1), nodeOf(id, delay), false, wishCosts.wireBit * widthOf(signal));
    }
    if (signal.kind === "table") {
      wish(read(signal.source), 0, false, wishCosts.fixed);
      // What stands right behind a table is the table's own register.
      if (held !== null) wish(held, 0, false, wishCosts.fixed);
    } else if (signal.kind === "sum") {
      const [left, right] = [read(signal.left), read(signal.right)];
      const width = adderWidth(rangeAt(signals, signal.left), signal, signal);
      if (width > 0) {
        wish(left, right, signal.negative, wishCosts.operand + wishCosts.operandBit * width);
        if (held === null) continue;
        wish(left, held, false, wishCosts.wireBit * signal.shift);
        if (endsInCarry(signals, signal))
          wish(left, held, !signal.negative, wishCosts.carryBit * width);
      } else if (held !== null) {
        wish(left, held, false, wishCosts.wireBit * signal.shift);
        wish(right, held, false, wishCosts.wireBit * (widthOf(signal) - signal.shift));
      }
    } else if (signal.kind === "offset" && held !== null) {
      const { constant } = signal;
      const source = rangeAt(signals, signal.source);
      const top = 2 ** (widthOf(signal) - 1);
      const isTopSet = Math.floor(constant / top) % 2 !== 0;
      if (source.min >= 0 && source.max < top) {
        wish(read(signal.source), held, !isTopSet, wishCosts.carryBit * widthOf(signal));
      }
    } else if (signal.kind === "clamp" && held !== null) {
      if (isWiring(signal, rangeAt(signals, signal.source))) {
        wish(read(signal.source), held, false, wishCosts.wireBit * widthOf(signal));
      }
    }
  }
  for (const output of outputSignals(network)) {
    wish(nodeOf(output, outputCycle - (cycles[output] ?? 0)), 0, false, wishCosts.fixed);
  }
  return wishes;
}

/** Whether the top bit of a sum has no bit of an operand in it: both are natural numbers, and shorter. */
function endsInCarry(signals: readonly Signal[], sum: Extract<Signal, { kind: "sum" }>): boolean {
  const left = rangeAt(signals, sum.left);
  const right = rangeAt(signals, sum.right);
  const top = widthOf(sum) - 1;
  return (
    left.min >= 0 && right.min >= 0 && widthOf(left) <= top && widthOf(right) + sum.shift <= top
  );
}

function rangeAt(signals: readonly Signal[], id: number): Range {
  const signal = signals[id];
  if (!signal) throw new RangeError(`There is no signal ${id}.`);
  return signal;
}
