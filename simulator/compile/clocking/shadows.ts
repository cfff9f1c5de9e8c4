import type { Node } from "../circuit";
import type { Design, Register } from "../design";
import type { Draft, Member } from "./draft";

/** Second places of registers: values wait there until every block has read the registers. */
export class Shadows {
  readonly registers: Register[] = [];
  private readonly loads = new Map<Register, Node>();
  private readonly design: Design;
  private readonly taken: number;

  /** @param others The registers that have slots already. */
  constructor(design: Design, others: readonly Register[]) {
    this.design = design;
    this.taken = design.inputs.length + others.length;
  }

  /** Computes the values of a draft into their second places. */
  before({ gate, members }: Draft): Draft {
    const moved = members.map((member): Member => {
      const { width } = member.register;
      const load = this.design.circuit.load(this.taken + this.registers.length, width);
      const shadow = { slot: load.index, width, initial: 0n, next: load, held: undefined };
      this.registers.push(shadow);
      this.loads.set(member.register, load);
      return { ...member, register: shadow };
    });
    return { gate, members: moved };
  }

  /** Takes them from there. */
  after({ gate, members }: Draft): Draft {
    const taking = members.flatMap(({ register }): Member[] => {
      const value = this.loads.get(register);
      if (!value) return [];
      const sources = { slots: new Set([value.index]), readsWritten: false, operations: 0 };
      return [{ register, value, sources }];
    });
    return { gate, members: taking };
  }
}
