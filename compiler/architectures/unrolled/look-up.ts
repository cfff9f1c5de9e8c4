import type { TableNode } from "../../integer/integer-graph";
import type { Value } from "./network";
import type { NetworkBuilder } from "./network-builder";

/** The entries of a table that values of a range reach. */
export function lookedUp(
  builder: NetworkBuilder,
  value: Value,
  table: TableNode,
  layer: number,
): Value {
  const entry = (at: number) => table.values[at < 0 ? at + 2 ** table.inputWidth : at] ?? 0;
  if (value.kind === "constant") return { kind: "constant", constant: entry(value.constant) };
  const { signal } = value.term;
  const { min, max } = builder.rangeOf(signal);
  const entries = Array.from({ length: max - min + 1 }, (_, index) => entry(min + index));
  const range = { min: Math.min(...entries), max: Math.max(...entries) };
  if (range.min === range.max) return { kind: "constant", constant: range.min };
  const found = builder.table(signal, layer, range);
  return { kind: "term", term: { signal: found, shift: 0, negative: false }, constant: 0 };
}
