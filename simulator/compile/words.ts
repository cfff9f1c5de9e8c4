import type { Circuit, Node } from "./circuit";

/** A word of any width, as limbs of 64 bits, the least significant first; only the last may be narrower. */
export interface Word {
  readonly width: number;
  readonly limbs: readonly Node[];
}

const limbBits = 64;

/**
 * Arithmetic on words of any width over a circuit whose nodes have at most 64 bits. A word of up to 64 bits
 * costs one node per operation; a wider one is lowered here: bitwise operations and multiplexers limb by limb,
 * sums with a carry, products by digits of 32 bits, shifts by stages, division bit by bit.
 */
export class Words {
  readonly circuit: Circuit;

  constructor(circuit: Circuit) {
    this.circuit = circuit;
  }

  constant(value: bigint, width: number): Word {
    return this.fromLimbs(width, (low, count) =>
      this.circuit.constant(value >> BigInt(low), count),
    );
  }

  fromNode(node: Node): Word {
    return { width: node.width, limbs: [node] };
  }

  /** The only limb of a word of up to 64 bits. */
  node(word: Word): Node {
    const [limb] = word.limbs;
    if (!limb || word.limbs.length > 1) throw new RangeError(`a word of ${word.width} bits`);
    return limb;
  }

  /** Up to 64 bits of a word as one node. */
  bits(word: Word, low: number, width: number): Node {
    const pieces: Node[] = [];
    let from = low;
    while (from < low + width) {
      const limb = limbAt(word, Math.floor(from / limbBits));
      const start = from % limbBits;
      const count = Math.min(limb.width - start, low + width - from);
      pieces.push(this.circuit.slice(limb, start, count));
      from += count;
    }
    return this.circuit.concat(pieces);
  }

  slice(word: Word, low: number, width: number): Word {
    if (low === 0 && width === word.width) return word;
    return this.fromLimbs(width, (start, count) => this.bits(word, low + start, count));
  }

  concat(low: Word, high: Word): Word {
    return this.join([low, high]);
  }

  /** Joins words, the least significant first. */
  join(words: readonly Word[]): Word {
    const limbs: Node[] = [];
    let pieces: Node[] = [];
    let filled = 0;
    const flush = (): void => {
      if (filled > 0) limbs.push(this.circuit.concat(pieces));
      pieces = [];
      filled = 0;
    };
    for (const word of words) {
      for (let from = 0; from < word.width; ) {
        const count = Math.min(limbBits - filled, word.width - from);
        pieces.push(this.bits(word, from, count));
        filled += count;
        from += count;
        if (filled === limbBits) flush();
      }
    }
    flush();
    return { width: words.reduce((sum, word) => sum + word.width, 0), limbs };
  }

  /** Extends or cuts to `width`. */
  resize(word: Word, width: number, signed: boolean): Word {
    if (width <= word.width) return this.slice(word, 0, width);
    const { circuit } = this;
    const sign = signed ? this.bits(word, word.width - 1, 1) : circuit.constant(0n, 1);
    return this.fromLimbs(width, (start, count) => {
      const own = Math.min(count, word.width - start);
      if (own <= 0) return circuit.signExtend(sign, count);
      const low = this.bits(word, start, own);
      return signed ? circuit.signExtend(low, count) : circuit.zeroExtend(low, count);
    });
  }

  not(a: Word): Word {
    return { width: a.width, limbs: a.limbs.map((limb) => this.circuit.not(limb)) };
  }

  and(a: Word, b: Word): Word {
    return this.pairwise(a, b, (x, y) => this.circuit.and(x, y));
  }

  or(a: Word, b: Word): Word {
    return this.pairwise(a, b, (x, y) => this.circuit.or(x, y));
  }

  xor(a: Word, b: Word): Word {
    return this.pairwise(a, b, (x, y) => this.circuit.xor(x, y));
  }

  /** `select ? a : b`. */
  mux(select: Node, a: Word, b: Word): Word {
    return this.pairwise(a, b, (x, y) => this.circuit.mux(select, x, y));
  }

  add(a: Word, b: Word): Word {
    if (a.limbs.length > 1) return this.addWithCarry(a, b, this.circuit.constant(0n, 1));
    return this.pairwise(a, b, (x, y) => this.circuit.add(x, y));
  }

  sub(a: Word, b: Word): Word {
    if (a.limbs.length > 1) {
      return this.addWithCarry(a, this.not(b), this.circuit.constant(1n, 1));
    }
    return this.pairwise(a, b, (x, y) => this.circuit.sub(x, y));
  }

  negate(a: Word): Word {
    return this.sub(this.constant(0n, a.width), a);
  }

  private addWithCarry(a: Word, b: Word, carryIn: Node): Word {
    const { circuit } = this;
    let carry = carryIn;
    return this.pairwise(a, b, (x, y) => {
      const partial = circuit.add(x, y);
      const sum = circuit.add(partial, circuit.zeroExtend(carry, x.width));
      carry = circuit.or(circuit.less(partial, x, false), circuit.less(sum, partial, false));
      return sum;
    });
  }

  mul(a: Word, b: Word): Word {
    const { circuit } = this;
    if (a.limbs.length === 1) return this.pairwise(a, b, (x, y) => circuit.mul(x, y));
    const digitBits = 32;
    const digit = (word: Word, low: number): Node =>
      circuit.zeroExtend(this.bits(word, low, Math.min(digitBits, word.width - low)), limbBits);
    let sum = this.constant(0n, a.width);
    for (let i = 0; i < a.width; i += digitBits) {
      for (let j = 0; i + j < a.width; j += digitBits) {
        const product = this.fromNode(circuit.mul(digit(a, i), digit(b, j)));
        sum = this.add(sum, this.shiftLeftBy(this.resize(product, a.width, false), i + j));
      }
    }
    return sum;
  }

  /** Quotient and remainder of unsigned words; both 0 when `b` is 0. */
  divide(a: Word, b: Word): { quotient: Word; remainder: Word } {
    if (a.limbs.length === 1) {
      const { quotient, remainder } = this.circuit.divide(this.node(a), this.node(b));
      return { quotient: this.fromNode(quotient), remainder: this.fromNode(remainder) };
    }
    const width = a.width;
    const divisor = this.resize(b, width + 1, false);
    let remainder = this.constant(0n, width + 1);
    let quotient: Word | undefined;
    for (let bit = width - 1; bit >= 0; bit--) {
      const next = this.fromNode(this.bits(a, bit, 1));
      const shifted = this.concat(next, this.slice(remainder, 0, width));
      const fits = this.circuit.not(this.less(shifted, divisor, false));
      remainder = this.mux(fits, this.sub(shifted, divisor), shifted);
      const digit = this.fromNode(fits);
      quotient = quotient ? this.concat(digit, quotient) : digit;
    }
    const zero = this.constant(0n, width);
    const isZero = this.circuit.not(this.any(b));
    return {
      quotient: this.mux(isZero, zero, quotient ?? zero),
      remainder: this.mux(isZero, zero, this.slice(remainder, 0, width)),
    };
  }

  equal(a: Word, b: Word): Node {
    const { circuit } = this;
    return a.limbs
      .map((limb, index) => circuit.equal(limb, limbAt(b, index)))
      .reduce((left, right) => circuit.and(left, right));
  }

  less(a: Word, b: Word, signed: boolean): Node {
    const { circuit } = this;
    const last = a.limbs.length - 1;
    return a.limbs
      .map((limb, index) => ({
        less: circuit.less(limb, limbAt(b, index), signed && index === last),
        equal: circuit.equal(limb, limbAt(b, index)),
      }))
      .reduce((low, high) => ({
        less: circuit.or(high.less, circuit.and(high.equal, low.less)),
        equal: high.equal,
      })).less;
  }

  /** Whether any bit is 1. */
  any(a: Word): Node {
    const { circuit } = this;
    return a.limbs
      .map((limb) => circuit.not(circuit.equal(limb, circuit.constant(0n, limb.width))))
      .reduce((left, right) => circuit.or(left, right));
  }

  /** Whether all bits are 1. */
  all(a: Word): Node {
    return this.equal(a, this.constant(-1n, a.width));
  }

  parity(a: Word): Node {
    const { circuit } = this;
    return a.limbs
      .map((limb) => circuit.parity(limb))
      .reduce((left, right) => circuit.xor(left, right));
  }

  /** Shifts by any amount; what comes in is 0, or with `shrs` the sign. */
  shift(op: "shl" | "shru" | "shrs", a: Word, amount: Word): Word {
    const { circuit } = this;
    if (a.limbs.length === 1 && amount.limbs.length === 1) {
      return this.fromNode(circuit.shift(op, this.node(a), this.node(amount)));
    }
    const stages = Math.min(amount.width, Math.ceil(Math.log2(a.width + 1)));
    let shifted = a;
    for (let stage = 0; stage < stages; stage++) {
      shifted = this.mux(
        this.bits(amount, stage, 1),
        this.shiftBy(op, shifted, 2 ** stage),
        shifted,
      );
    }
    if (stages === amount.width) return shifted;
    const isFar = this.any(this.slice(amount, stages, amount.width - stages));
    return this.mux(isFar, this.shiftBy(op, a, a.width), shifted);
  }

  private shiftBy(op: "shl" | "shru" | "shrs", a: Word, count: number): Word {
    if (op === "shl") return this.shiftLeftBy(a, count);
    const signed = op === "shrs";
    if (count < a.width) return this.resize(this.slice(a, count, a.width - count), a.width, signed);
    if (!signed) return this.constant(0n, a.width);
    return this.resize(this.slice(a, a.width - 1, 1), a.width, true);
  }

  private shiftLeftBy(a: Word, count: number): Word {
    if (count === 0) return a;
    if (count >= a.width) return this.constant(0n, a.width);
    return this.concat(this.constant(0n, count), this.slice(a, 0, a.width - count));
  }

  private pairwise(a: Word, b: Word, combine: (x: Node, y: Node) => Node): Word {
    return { width: a.width, limbs: a.limbs.map((x, index) => combine(x, limbAt(b, index))) };
  }

  private fromLimbs(width: number, make: (low: number, count: number) => Node): Word {
    const limbs: Node[] = [];
    for (let low = 0; low < width; low += limbBits) {
      limbs.push(make(low, Math.min(limbBits, width - low)));
    }
    return { width, limbs };
  }
}

function limbAt(word: Word, index: number): Node {
  const limb = word.limbs[index];
  if (!limb) throw new RangeError(`limb ${index} of a word of ${word.width} bits`);
  return limb;
}
