import { declare, type Printed, twinOf, vectorAt, wireOf } from "./network-text";

/** A register, and the statement that loads it at each edge. */
export interface Register {
  readonly declaration: string;
  readonly statement: string;
}

/** Registers that delay a signal, one after the other, and the one that holds its other form. */
export function emitRegisters(printed: Printed, id: number): Register[] {
  const { network, pipeline, forms } = printed;
  const cycle = pipeline.cycles[id] ?? 0;
  // What stands right behind a table is the table's own register.
  const first = network.signals[id]?.kind === "table" ? 2 : 1;
  const registers: Register[] = [];
  const add = (name: string, source: string) =>
    registers.push({
      declaration: `${declare(printed, "reg", id, name)};`,
      statement: `    ${name} <= ${source};`,
    });
  for (let delay = first; delay <= (pipeline.delays[id] ?? 0); delay++) {
    const { name, inverted: turned = false } = vectorAt(printed, id, cycle + delay);
    const before = vectorAt(printed, id, cycle + delay - 1);
    add(name, `${turned === (before.inverted ?? false) ? "" : "~"}${before.name}`);
  }
  if (forms.twins.has(id)) {
    const { name, inverted: turned = false } = twinOf(vectorAt(printed, id, cycle + 1));
    add(name, `${turned ? "~" : ""}${wireOf(id)}`);
  }
  return registers;
}
