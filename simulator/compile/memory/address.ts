import type { Node } from "../circuit";
import type { Bit } from "../netlist";
import type { RegisterSink } from "../registers";

export interface Place {
  /** Counted from the first word. */
  readonly address: Node;
  /** Whether there is such a word. */
  readonly exists: Node;
}

/** The word that an address means. */
export function locate(
  { words, wiring }: RegisterSink,
  bits: readonly Bit[],
  { offset, limit }: { offset: number; limit: number },
): Place {
  const { circuit } = words;
  const given = words.node(bits.length > 0 ? wiring.read(bits) : words.constant(0n, 1));
  const address = stripZeros(
    offset === 0
      ? given
      : circuit.sub(circuit.zeroExtend(given, 32), circuit.constant(BigInt(offset), 32)),
  );
  if (address.width < 31 && 2 ** address.width <= limit) {
    return { address, exists: circuit.constant(1n, 1) };
  }
  const width = Math.max(32, address.width);
  const bound = circuit.constant(BigInt(limit), width);
  return { address, exists: circuit.less(circuit.zeroExtend(address, width), bound, false) };
}

/** An address without leading bits that are always 0. */
function stripZeros(address: Node): Node {
  const inner = address.op === "zext" ? address.args[0] : undefined;
  return inner ?? address;
}
