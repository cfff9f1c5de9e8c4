import type { Node } from "../circuit";
import type { Design, Register } from "../design";
import { type Draft, type Member, workOf, worthAGate, worthTwoGates } from "./draft";
import { Flags } from "./flags";
import { addIdle } from "./idle";
import { readersFirst } from "./readers-first";
import { Shadows } from "./shadows";
import { type SourceFinder, sourceFinder } from "./sources";
import { updateOf } from "./update";

/** A register and what it takes at an edge. */
export interface Transfer {
  readonly slot: number;
  readonly value: Node;
}

/** Registers that keep their values at edges at which `gate` is 0, so that nothing needs to be computed for them. */
export interface Block {
  readonly gate: Node;
  readonly transfers: readonly Transfer[];
  /** Whether each transfer may be done at once, because those after it do not read its register. */
  readonly isOrdered: boolean;
}

/** What a clock edge does to the registers. */
export interface EdgePlan {
  /** Those of the design, then those that the plan needs besides. */
  readonly registers: readonly Register[];
  /** What is computed at every edge, from the state before it. */
  readonly always: readonly Transfer[];
  /** In an order in which those that read a register come before the one that changes it. */
  readonly blocks: readonly Block[];
}

/**
 * Finds out which registers need not be computed at every edge. A register keeps its value for one of two reasons: the
 * design has an enable for it, or nothing that it is computed from was clocked at the edge before.
 */
export function planEdge(design: Design): EdgePlan {
  const changing = design.registers.filter(
    ({ next, slot }) => next.op !== "load" || next.index !== slot,
  );
  // An asynchronous control changes registers between edges, which no flag would tell.
  if (design.registers.some(({ held }) => held)) {
    return { registers: design.registers, always: changing.map(wholly), blocks: [] };
  }
  const sourcesOf = sourceFinder(design);
  const enabled = enabledDrafts(design, changing, sourcesOf);
  const gated = registersOf(enabled);
  const flags = new Flags(design);
  const idle = addIdle(
    changing.filter((register) => !gated.has(register)),
    { design, enabled, flags, sourcesOf },
  );
  const drafts = [...enabled, ...idle].filter(({ members }) => workOf(members) >= worthAGate);
  const raised = flags.registers();
  const { straight, late } = breakCircles(drafts, enabled);
  const shadows = new Shadows(design, [...design.registers, ...raised]);
  const before = late.map((draft) => shadows.before(draft));
  const after = late.map((draft) => shadows.after(draft));
  const blocks = [...readersFirst([...straight, ...before]).ordered, ...after];
  const placed = registersOf([...straight, ...late]);
  return {
    registers: [...design.registers, ...raised, ...shadows.registers],
    always: [...changing.filter((register) => !placed.has(register)), ...raised].map(wholly),
    blocks: blocks.map(blockOf),
  };
}

/**
 * Drafts that read each other in a circle have no order. Stages of pipelines alone never do, so without the enabled ones
 * among them the others have one. Those are stored late, or computed at every edge where that is less work.
 */
function breakCircles(
  drafts: readonly Draft[],
  enabled: readonly Draft[],
): { straight: Draft[]; late: Draft[] } {
  const { circular } = readersFirst(drafts);
  const breaking = new Set(circular.filter((draft) => enabled.includes(draft)));
  return {
    straight: drafts.filter((draft) => !breaking.has(draft)),
    late: [...breaking].filter(({ members }) => workOf(members) >= worthTwoGates),
  };
}

const wholly = ({ slot, next }: Register): Transfer => ({ slot, value: next });

const registersOf = (drafts: readonly Draft[]): ReadonlySet<Register> =>
  new Set(drafts.flatMap(({ members }) => members.map(({ register }) => register)));

/** The registers of each enable of the design. */
function enabledDrafts(
  { circuit }: Design,
  registers: readonly Register[],
  sourcesOf: SourceFinder,
): Draft[] {
  const groups = new Map<Node, Member[]>();
  for (const register of registers) {
    const update = updateOf(circuit, register.next, register.slot);
    const sources = update && sourcesOf(update.value);
    if (!update || !sources) continue;
    const group = groups.get(update.enable) ?? [];
    groups.set(update.enable, group);
    group.push({ register, value: update.value, sources });
  }
  return [...groups].map(([gate, members]) => ({ gate, members }));
}

function blockOf({ gate, members }: Draft): Block {
  const { ordered, circular } = readersFirst(members.map((member) => ({ members: [member] })));
  const isOrdered = circular.length === 0;
  const inOrder = isOrdered ? ordered.flatMap((group) => group.members) : members;
  const transfers = inOrder.map(({ register: { slot }, value }) => ({ slot, value }));
  return { gate, transfers, isOrdered };
}
