import type { Node } from "../circuit";
import type { Design, Register } from "../design";
import type { Draft } from "./draft";

/** Registers besides those of the design, each 1 when a draft was clocked at the edge before; at first all are. */
export class Flags {
  private readonly loads = new Map<Draft, Node>();
  private readonly design: Design;

  constructor(design: Design) {
    this.design = design;
  }

  of(draft: Draft): Node {
    const known = this.loads.get(draft);
    if (known) return known;
    const { circuit, inputs, registers } = this.design;
    const made = circuit.load(inputs.length + registers.length + this.loads.size, 1);
    this.loads.set(draft, made);
    return made;
  }

  /** The flags asked for so far. */
  registers(): Register[] {
    return [...this.loads].map(([{ gate }, { index }]) => ({
      slot: index,
      width: 1,
      initial: 1n,
      next: gate,
      held: undefined,
    }));
  }
}
