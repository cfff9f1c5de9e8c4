import type { Circuit, Node } from "../circuit";

/** A register's value after an edge, where it is not the old one. */
export interface Update {
  /** While this is 0, the register keeps its value. */
  readonly enable: Node;
  /** What the register takes while `enable` is 1. */
  readonly value: Node;
}

/** Multiplexers nested deeper than this are taken to change the register. */
const mostNested = 8;

/** Reads from the multiplexers before a register when it keeps its value; undefined when nothing says so. */
export function updateOf(circuit: Circuit, next: Node, slot: number): Update | undefined {
  const enable = enableOf(circuit, next, slot, mostNested);
  if (enable.op === "const") return undefined;
  const [select, a, b] = next.args;
  if (select && a && b && next.op === "mux") {
    if (select === enable) return { enable, value: a };
    if (circuit.not(select) === enable) return { enable, value: b };
  }
  return { enable, value: next };
}

function enableOf(circuit: Circuit, node: Node, slot: number, depth: number): Node {
  const always = circuit.constant(1n, 1);
  if (node.op === "load" && node.index === slot) return circuit.constant(0n, 1);
  if (depth === 0) return always;
  const within = (part: Node): Node => enableOf(circuit, part, slot, depth - 1);
  const [first, second, third] = node.args;
  if (!first || !second) return always;
  if (node.op === "mux" && third) return circuit.mux(first, within(second), within(third));
  // A reset of one bit: it has no effect while it is 0 (or) or 1 (and).
  const isReset = node.width === 1 && (node.op === "or" || node.op === "and");
  if (!isReset) return always;
  const acts = (reset: Node): Node => (node.op === "or" ? reset : circuit.not(reset));
  const [one, other] = [within(first), within(second)];
  if (other.op !== "const") return circuit.or(acts(first), other);
  return one.op !== "const" ? circuit.or(acts(second), one) : always;
}
