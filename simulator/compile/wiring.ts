import { fail } from "@/lib/common/errors";
import type { Node } from "./circuit";
import type { Bit } from "./netlist";
import type { Word, Words } from "./words";

/** A run of neighbouring bits of one node, its last bit repeated `copies` more times (a sign extension). */
interface Run {
  readonly node: Node;
  readonly low: number;
  count: number;
  copies: number;
}

/** Who drives which net bit; turns the bit lists of a netlist into words and back. */
export class Wiring {
  private readonly drivers = new Map<number, { readonly node: Node; readonly index: number }>();
  private clockBit: number | undefined;

  private readonly words: Words;

  constructor(words: Words) {
    this.words = words;
  }

  /** From here on, reading this bit as data is refused. */
  reserveClock(bit: number): void {
    this.clockBit = bit;
  }

  /** Makes `word` the driver of `bits`; constants there are ports left open. */
  drive(bits: readonly Bit[], word: Word, where: string): void {
    bits.forEach((bit, position) => {
      if (typeof bit !== "number") return;
      if (this.drivers.has(bit)) {
        throw fail("NETLIST_INVALID", `Net bit ${bit} has two drivers; the second is ${where}.`);
      }
      const node = word.limbs[Math.floor(position / 64)];
      if (node) this.drivers.set(bit, { node, index: position % 64 });
    });
  }

  /** The value of `bits`; a bit that nothing drives is 0. */
  read(bits: readonly Bit[]): Word {
    const { circuit } = this.words;
    const limbs: Node[] = [];
    for (let low = 0; low < bits.length; low += 64) {
      const runs = this.runsOf(bits.slice(low, low + 64));
      limbs.push(
        circuit.concat(
          runs.map(({ node, low: from, count, copies }) =>
            circuit.signExtend(circuit.slice(node, from, count), count + copies),
          ),
        ),
      );
    }
    return { width: bits.length, limbs };
  }

  private runsOf(bits: readonly Bit[]): Run[] {
    const runs: Run[] = [];
    for (const bit of bits) {
      const { node, index } = this.driverOf(bit);
      const last = runs.at(-1);
      if (last?.node === node && node.op !== "const") {
        const next = last.low + last.count;
        if (last.copies === 0 && index === next) {
          last.count += 1;
          continue;
        }
        if (index === next - 1) {
          last.copies += 1;
          continue;
        }
      }
      runs.push({ node, low: index, count: 1, copies: 0 });
    }
    return runs;
  }

  private driverOf(bit: Bit): { readonly node: Node; readonly index: number } {
    const { circuit } = this.words;
    if (typeof bit !== "number") {
      return { node: circuit.constant(bit === "1" ? 1n : 0n, 1), index: 0 };
    }
    if (bit === this.clockBit) {
      throw fail("CELL_UNSUPPORTED", "The clock is used as data, which has no settled value.");
    }
    return this.drivers.get(bit) ?? { node: circuit.constant(0n, 1), index: 0 };
  }
}
