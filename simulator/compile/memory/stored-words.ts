import type { Memory } from "../design";
import { type Bit, bitsParameter } from "../netlist";
import type { MemoryCell } from "./ports";

/** Padding a memory to its address range saves the bounds check of each read; beyond this it is not worth it. */
const maxPaddedDepth = 65_536;
const limbBits = 64;

/** Some bits of every word, which one memory of the design holds. */
export interface Limb {
  /** Index of the memory. */
  readonly memory: number;
  /** Its lowest bit in the word. */
  readonly low: number;
  readonly count: number;
}

/** Where the words of a memory cell are held. */
export interface StoredWords {
  /** Addresses that can be read without looking whether there is such a word. */
  readonly depth: number;
  readonly limbs: readonly Limb[];
}

/** Adds the memories that hold the words of a cell: words wider than 64 bits become several memories. */
export function storeWords(memories: Memory[], memoryCell: MemoryCell): StoredWords {
  const { cell, width, size, addressBits } = memoryCell;
  const isPadded = addressBits < 31 && 2 ** addressBits <= maxPaddedDepth;
  const depth = isPadded ? Math.max(size, 2 ** addressBits) : size;
  const image = bitsParameter(cell, "INIT", width * size);
  const limbs: Limb[] = [];
  for (let low = 0; low < width; low += limbBits) {
    const count = Math.min(limbBits, width - low);
    const initial = Array.from({ length: size }, (_, word) =>
      numberOf(image.slice(word * width + low, word * width + low + count)),
    );
    limbs.push({ memory: memories.length, low, count });
    memories.push({ width: count, size, depth, initial });
  }
  return { depth, limbs };
}

/** Bits, lowest first, as a number. */
const numberOf = (bits: readonly Bit[]) => BigInt(`0b${bits.toReversed().join("")}`);
