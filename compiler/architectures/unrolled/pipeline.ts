import { widthOf } from "../../integer/range";
import { type Network, resultsOf, type Signal } from "./network";
import { isWiring } from "./network-builder";

/** When each signal of a network is made, and how long it is kept. */
export interface Pipeline {
  readonly registerEvery: number;
  /** Clock cycle in which the row's signal is made from what registers hold, by signal; the row is there in cycle 0. */
  readonly cycles: readonly number[];
  /** Registers that delay each signal, one after the other: the longest way to a use. Uses in between share them. */
  readonly delays: readonly number[];
  /** Cycle in which all outputs stand in registers. */
  readonly outputCycle: number;
}

/**
 * Lays the adders in time: `registerEvery` of them, one after the other, in each clock cycle. All paths to an adder are
 * of one length, so that a row may follow in every cycle. Adders with room to move stand where they need fewest registers.
 */
export function placeInTime(network: Network, registerEvery: number): Pipeline {
  const { signals } = network;
  const outputs = new Set(outputSignals(network));
  const operands = signals.map(operandsOf);
  const uses: number[][] = signals.map(() => []);
  for (const [id, sources] of operands.entries()) {
    for (const source of sources) uses[source]?.push(id);
  }
  const costs = signals.map((signal) =>
    signal.kind === "clamp" && isWiring(signal, at(signals, signal.source)) ? 0 : 1,
  );
  // Steps: adders count one each; a cycle has room for `registerEvery`. The row's inputs come before step 0.
  const steps: number[] = [];
  const cycleOf = (step: number) => Math.max(0, Math.floor(step / registerEvery));
  // A table has its register behind it, so that what reads it comes in a later cycle.
  const readable = (source: number, cost: number) =>
    at(signals, source).kind === "table"
      ? (cycleOf(at(steps, source)) + 1) * registerEvery
      : at(steps, source) + cost;
  const readBefore = (id: number, use: number) =>
    at(signals, id).kind === "table"
      ? cycleOf(at(steps, use)) * registerEvery - 1
      : at(steps, use) - at(costs, use);
  const earliestOf = (id: number) =>
    Math.max(...at(operands, id).map((source) => readable(source, at(costs, id))));
  for (const [id, signal] of signals.entries()) {
    steps.push(signal.kind === "input" ? -1 : earliestOf(id));
  }
  const last = Math.max(0, ...[...outputs].map((id) => at(steps, id)));
  const outputCycle = cycleOf(last) + 1;
  const lastUse = (id: number, except: number) => {
    let latest = outputs.has(id) ? outputCycle : -1;
    for (const use of at(uses, id)) {
      if (use !== except) latest = Math.max(latest, cycleOf(at(steps, use)));
    }
    return latest;
  };
  const registersOf = (id: number, from: number, until: number) =>
    Math.max(0, until - cycleOf(from)) * widthOf(at(signals, id));

  const place = (id: number): boolean => {
    const sources = at(operands, id);
    const earliest = earliestOf(id);
    const latest = Math.min(
      outputs.has(id) ? last : Number.POSITIVE_INFINITY,
      ...at(uses, id).map((use) => readBefore(id, use)),
    );
    if (earliest >= latest || !Number.isFinite(latest)) return false;
    const own = lastUse(id, -1);
    const others = sources.map((source) => lastUse(source, id));
    const registers = (step: number) =>
      sources.reduce(
        (sum, source, index) =>
          sum + registersOf(source, at(steps, source), Math.max(at(others, index), cycleOf(step))),
        registersOf(id, step, own),
      );
    let best = at(steps, id);
    let least = registers(best);
    for (let step = earliest; step <= latest; step++) {
      const count = registers(step);
      if (count < least) [best, least] = [step, count];
    }
    if (best === at(steps, id)) return false;
    steps[id] = best;
    return true;
  };
  const movable = [...signals.keys()].filter((id) => at(operands, id).length > 0);
  for (let round = 0, moved = true; moved && round < 20; round++) {
    moved = false;
    for (const id of round % 2 === 0 ? movable.toReversed() : movable) moved = place(id) || moved;
  }
  const cycles = steps.map(cycleOf);
  return {
    registerEvery,
    cycles,
    delays: signals.map((_, id) => Math.max(0, lastUse(id, -1) - at(cycles, id))),
    outputCycle,
  };
}

/** Signals of the last layer's values. */
export function outputSignals({ layers }: Network): number[] {
  const last = layers.at(-1);
  return (last ? resultsOf(last) : []).flatMap((value) =>
    value?.kind === "term" ? [value.term.signal] : [],
  );
}

export function operandsOf(signal: Signal): readonly number[] {
  if (signal.kind === "input") return [];
  return signal.kind === "sum" || signal.kind === "biased"
    ? [signal.left, signal.right]
    : [signal.source];
}

function at<T>(list: readonly T[], index: number): T {
  const item = list[index];
  if (item === undefined) throw new RangeError(`There is no signal ${index}.`);
  return item;
}
