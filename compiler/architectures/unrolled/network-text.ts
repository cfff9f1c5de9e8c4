import type { FamilyCosts } from "@/boards";
import type { TableNode } from "../../integer/integer-graph";
import { widthOf } from "../../integer/range";
import type { BitVector } from "./bit-vector";
import { registerKey } from "./inverted-registers";
import type { Network } from "./network";
import type { OperandForms } from "./operand-forms";
import type { Pipeline } from "./pipeline";

/** A network as it is printed. */
export interface Printed {
  readonly network: Network;
  readonly pipeline: Pipeline;
  readonly forms: OperandForms;
  readonly costs: FamilyCosts;
  /** By layer; null where it has none. */
  readonly tables: readonly (TableNode | null)[];
}

/** What holds a signal in a cycle: the wire that it is made on, or a register. @throws {RangeError} before it is made. */
export function vectorAt(
  { network, pipeline, forms }: Printed,
  id: number,
  cycle: number,
): BitVector {
  const signal = network.signals[id];
  const delay = cycle - (pipeline.cycles[id] ?? 0);
  if (!signal || delay < 0) throw new RangeError(`Signal ${id} is not there in cycle ${cycle}.`);
  const name = signal.kind === "input" ? `x${signal.element}` : wireOf(id);
  return forms.inverted.has(registerKey(id, delay))
    ? { name: `n${name}_${delay}`, range: signal, inverted: true }
    : { name: delay === 0 ? name : `${name}_${delay}`, range: signal };
}

/** The wire on which a signal is made. */
export const wireOf = (id: number): string => `s${id}`;

/** The register that holds the other form of what a register holds. */
export const twinOf = ({ name, range, inverted }: BitVector): BitVector => ({
  name: `${name}_twin`,
  range,
  ...(inverted ? {} : { inverted: true }),
});

/** The beginning of a declaration, as wide as the signal is. */
export function declare(
  { network }: Printed,
  kind: "reg" | "wire",
  id: number,
  name: string,
): string {
  const width = widthOf(network.signals[id] ?? { min: 0, max: 0 });
  return `  ${kind} ${width === 1 ? "" : `[${width - 1}:0] `}${name}`;
}
