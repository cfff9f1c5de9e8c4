import type { Node } from "./circuit";
import type { Register } from "./design";
import type { Task } from "./levelize";
import {
  type Bit,
  bitsParameter,
  type Cell,
  connection,
  flagParameter,
  numberParameter,
} from "./netlist";
import type { Wiring } from "./wiring";
import type { Word, Words } from "./words";

/** What a register does on the clock edge. The functions are called once everything is driven. */
export interface RegisterPlan {
  readonly name: string;
  readonly q: readonly Bit[];
  readonly initial: readonly ("0" | "1")[];
  readonly data: () => Word;
  readonly enable?: (() => Node) | undefined;
  readonly reset?: { readonly active: () => Node; readonly value: Word } | undefined;
  /** Whether a reset waits for the enable. */
  readonly enableOverReset?: boolean;
  /** Takes effect at once, without the clock. */
  readonly asynchronous?: AsynchronousControl | undefined;
}

interface AsynchronousControl {
  readonly reads: readonly Bit[];
  readonly apply: (state: Word) => Word;
}

/** Where registers are made: their slots, and what has to be done before and after the logic is built. */
export interface RegisterSink {
  readonly words: Words;
  readonly wiring: Wiring;
  readonly registers: Register[];
  readonly nextSlot: () => number;
  readonly addTask: (task: Task) => void;
  readonly finally: (finish: () => void) => void;
}

/** Adds a register of any width, one slot per 64 bits. */
export function addRegister(sink: RegisterSink, plan: RegisterPlan): void {
  const { words, wiring } = sink;
  const width = plan.q.length;
  const limbs = Array.from({ length: Math.ceil(width / 64) }, (_, index): Register => {
    const count = Math.min(64, width - index * 64);
    const text = plan.initial.slice(index * 64, index * 64 + count);
    const slot = sink.nextSlot();
    const load = words.circuit.load(slot, count);
    const initial = BigInt(`0b${text.toReversed().join("")}`);
    return { slot, width: count, initial, next: load, held: undefined };
  });
  sink.registers.push(...limbs);
  const state: Word = { width, limbs: limbs.map((limb) => limb.next) };

  const { asynchronous } = plan;
  let visible = state;
  if (asynchronous) {
    sink.addTask({
      name: plan.name,
      reads: asynchronous.reads,
      drives: plan.q,
      build: () => {
        visible = asynchronous.apply(state);
        limbs.forEach((limb, index) => {
          limb.held = visible.limbs[index];
        });
        wiring.drive(plan.q, visible, plan.name);
      },
    });
  } else {
    wiring.drive(plan.q, state, plan.name);
  }

  sink.finally(() => {
    let next = plan.data();
    const enabled = (word: Word): Word =>
      plan.enable ? words.mux(plan.enable(), word, visible) : word;
    if (!plan.enableOverReset) next = enabled(next);
    if (plan.reset) next = words.mux(plan.reset.active(), plan.reset.value, next);
    if (plan.enableOverReset) next = enabled(next);
    if (asynchronous) next = asynchronous.apply(next);
    limbs.forEach((limb, index) => {
      limb.next = next.limbs[index] ?? limb.next;
    });
  });
}

/** The flip-flop cells of Yosys: which controls each has. */
export const registerCells: ReadonlyMap<string, readonly Control[]> = new Map<
  string,
  readonly Control[]
>([
  ["$dff", []],
  ["$dffe", ["EN"]],
  ["$sdff", ["SRST"]],
  ["$sdffe", ["SRST", "EN"]],
  ["$sdffce", ["SRST", "EN", "EN over SRST"]],
  ["$adff", ["ARST"]],
  ["$adffe", ["ARST", "EN"]],
  ["$aldff", ["ALOAD"]],
  ["$aldffe", ["ALOAD", "EN"]],
  ["$dffsr", ["SET and CLR"]],
  ["$dffsre", ["SET and CLR", "EN"]],
]);

export type Control = "EN" | "SRST" | "EN over SRST" | "ARST" | "ALOAD" | "SET and CLR";

/** The plan of a flip-flop cell. */
export function planRegister(
  cell: Cell,
  controls: readonly Control[],
  { words, wiring }: RegisterSink,
  initialOf: (bits: readonly Bit[]) => ("0" | "1")[],
): RegisterPlan {
  const width = numberParameter(cell, "WIDTH");
  const q = connection(cell, "Q", width);
  const d = connection(cell, "D", width);
  const has = (control: Control): boolean => controls.includes(control);

  /** A control input, inverted where the cell says so. */
  const level = (port: string, count = 1): Word => {
    const word = wiring.read(connection(cell, port, count));
    return flagParameter(cell, `${port}_POLARITY`) ? word : words.not(word);
  };
  const active = (port: string) => (): Node => words.node(level(port));
  const constant = (name: string): Word => wiring.read(bitsParameter(cell, name, width));

  const asynchronous = (): AsynchronousControl | undefined => {
    if (has("ARST")) {
      return {
        reads: connection(cell, "ARST", 1),
        apply: (state) => words.mux(words.node(level("ARST")), constant("ARST_VALUE"), state),
      };
    }
    if (has("ALOAD")) {
      const loaded = connection(cell, "AD", width);
      return {
        reads: [...connection(cell, "ALOAD", 1), ...loaded],
        apply: (state) => words.mux(words.node(level("ALOAD")), wiring.read(loaded), state),
      };
    }
    if (has("SET and CLR")) {
      return {
        reads: [...connection(cell, "SET", width), ...connection(cell, "CLR", width)],
        apply: (state) =>
          words.and(words.or(state, level("SET", width)), words.not(level("CLR", width))),
      };
    }
    return undefined;
  };

  return {
    name: `cell ${cell.name} (${cell.type})`,
    q,
    initial: initialOf(q),
    data: () => wiring.read(d),
    enable: has("EN") ? active("EN") : undefined,
    reset: has("SRST") ? { active: active("SRST"), value: constant("SRST_VALUE") } : undefined,
    enableOverReset: has("EN over SRST"),
    asynchronous: asynchronous(),
  };
}
