/**
 * What one node computes. Every value has 1 to 64 bits and is unsigned; `lts`, `shrs` and `sext` read their
 * operand's top bit as a sign. Shift amounts are below 32 for values of up to 32 bits and below 64 for wider
 * ones; divisors are never 0. Who builds nodes sees to both.
 */
export type Operation =
  | "const"
  | "load"
  | "read"
  | "not"
  | "and"
  | "or"
  | "xor"
  | "add"
  | "sub"
  | "mul"
  | "divu"
  | "remu"
  | "shl"
  | "shru"
  | "shrs"
  | "eq"
  | "ltu"
  | "lts"
  | "mux"
  | "slice"
  | "concat"
  | "zext"
  | "sext"
  | "parity";

export interface Node {
  /** Dense and topological: operands have smaller ids. */
  readonly id: number;
  readonly op: Operation;
  readonly width: number;
  readonly args: readonly Node[];
  /** `const`: the value. */
  readonly value: bigint;
  /** `slice`: lowest bit · `load`: slot · `read`: memory. */
  readonly index: number;
}

export const maskOf = (width: number): bigint => (1n << BigInt(width)) - 1n;

const none: readonly Node[] = [];

/**
 * An acyclic graph of words, built bottom up. Equal nodes are one node, constants are folded, and wiring
 * (slices of concatenations and the like) disappears where it can.
 */
export class Circuit {
  private readonly interned = new Map<string, Node>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  constant(value: bigint, width: number): Node {
    return this.intern("const", width, none, value & maskOf(width), 0);
  }

  /** The value of a slot of linear memory: an input or a register. */
  load(slot: number, width: number): Node {
    return this.intern("load", width, none, 0n, slot);
  }

  /** A word of a memory. The address is within the memory's allocated depth. */
  read(memory: number, address: Node, width: number): Node {
    return this.intern("read", width, [address], 0n, memory);
  }

  not(a: Node): Node {
    if (a.op === "const") return this.constant(~a.value, a.width);
    const inner = a.op === "not" ? a.args[0] : undefined;
    return inner ?? this.intern("not", a.width, [a]);
  }

  and(left: Node, right: Node): Node {
    const [a, b] = ordered(left, right);
    if (b.op === "const") {
      if (a.op === "const") return this.constant(a.value & b.value, a.width);
      if (b.value === 0n) return b;
      if (b.value === maskOf(b.width)) return a;
    }
    return a === b ? a : this.intern("and", a.width, [a, b]);
  }

  or(left: Node, right: Node): Node {
    const [a, b] = ordered(left, right);
    if (b.op === "const") {
      if (a.op === "const") return this.constant(a.value | b.value, a.width);
      if (b.value === 0n) return a;
      if (b.value === maskOf(b.width)) return b;
    }
    return a === b ? a : this.intern("or", a.width, [a, b]);
  }

  xor(left: Node, right: Node): Node {
    const [a, b] = ordered(left, right);
    if (b.op === "const") {
      if (a.op === "const") return this.constant(a.value ^ b.value, a.width);
      if (b.value === 0n) return a;
      if (b.value === maskOf(b.width)) return this.not(a);
    }
    return a === b ? this.constant(0n, a.width) : this.intern("xor", a.width, [a, b]);
  }

  add(left: Node, right: Node): Node {
    const [a, b] = ordered(left, right);
    if (b.op === "const") {
      if (a.op === "const") return this.constant(a.value + b.value, a.width);
      if (b.value === 0n) return a;
    }
    return this.intern("add", a.width, [a, b]);
  }

  sub(a: Node, b: Node): Node {
    if (a === b) return this.constant(0n, a.width);
    if (b.op === "const") {
      if (a.op === "const") return this.constant(a.value - b.value, a.width);
      if (b.value === 0n) return a;
    }
    return this.intern("sub", a.width, [a, b]);
  }

  mul(left: Node, right: Node): Node {
    const [a, b] = ordered(left, right);
    if (b.op === "const") {
      if (a.op === "const") return this.constant(a.value * b.value, a.width);
      if (b.value === 0n) return b;
      if (b.value === 1n) return a;
    }
    return this.intern("mul", a.width, [a, b]);
  }

  /** Quotient and remainder of unsigned words; both 0 when `b` is 0. */
  divide(a: Node, b: Node): { quotient: Node; remainder: Node } {
    const zero = this.constant(0n, a.width);
    const isZero = this.equal(b, zero);
    const divisor = this.or(b, this.zeroExtend(isZero, a.width));
    const guarded = (op: "divu" | "remu"): Node => {
      if (a.op === "const" && divisor.op === "const") {
        const value = op === "divu" ? a.value / divisor.value : a.value % divisor.value;
        return this.mux(isZero, zero, this.constant(value, a.width));
      }
      return this.mux(isZero, zero, this.intern(op, a.width, [a, divisor]));
    };
    return { quotient: guarded("divu"), remainder: guarded("remu") };
  }

  /** Shifts by any amount; beyond the width come zeros, or with `shrs` copies of the sign. */
  shift(op: "shl" | "shru" | "shrs", a: Node, amount: Node): Node {
    const direct = a.width <= 32 ? 5 : 6;
    const low = this.slice(amount, 0, Math.min(direct, amount.width));
    const near = this.shiftNear(op, a, low);
    if (amount.width <= direct) return near;
    const high = this.slice(amount, direct, amount.width - direct);
    const isFar = this.not(this.equal(high, this.constant(0n, high.width)));
    const fill =
      op === "shrs"
        ? this.signExtend(this.slice(a, a.width - 1, 1), a.width)
        : this.constant(0n, a.width);
    return this.mux(isFar, fill, near);
  }

  private shiftNear(op: "shl" | "shru" | "shrs", a: Node, amount: Node): Node {
    if (amount.op !== "const") return this.intern(op, a.width, [a, amount]);
    const count = Number(amount.value);
    if (count === 0) return a;
    const kept = a.width - count;
    if (op === "shl") {
      if (kept <= 0) return this.constant(0n, a.width);
      return this.concat([this.constant(0n, count), this.slice(a, 0, kept)]);
    }
    const top =
      kept <= 0
        ? op === "shrs"
          ? this.slice(a, a.width - 1, 1)
          : this.constant(0n, 1)
        : this.slice(a, count, kept);
    return op === "shrs" ? this.signExtend(top, a.width) : this.zeroExtend(top, a.width);
  }

  equal(left: Node, right: Node): Node {
    const [a, b] = ordered(left, right);
    if (a === b) return this.constant(1n, 1);
    if (b.op === "const") {
      if (a.op === "const") return this.constant(0n, 1);
      if (b.width === 1) return b.value === 1n ? a : this.not(a);
      const inner = a.op === "zext" ? a.args[0] : undefined;
      if (inner) {
        if (b.value >> BigInt(inner.width) !== 0n) return this.constant(0n, 1);
        return this.equal(inner, this.constant(b.value, inner.width));
      }
    }
    return this.intern("eq", 1, [a, b]);
  }

  less(a: Node, b: Node, signed: boolean): Node {
    if (a === b) return this.constant(0n, 1);
    if (a.op === "const" && b.op === "const") {
      const read = (node: Node): bigint =>
        signed ? BigInt.asIntN(node.width, node.value) : node.value;
      return this.constant(read(a) < read(b) ? 1n : 0n, 1);
    }
    if (!signed && b.op === "const" && b.value === 0n) return this.constant(0n, 1);
    return this.intern(signed ? "lts" : "ltu", 1, [a, b]);
  }

  /** `select ? a : b`. */
  mux(select: Node, a: Node, b: Node): Node {
    if (select.op === "const") return select.value === 1n ? a : b;
    if (a === b) return a;
    const inverted = select.op === "not" ? select.args[0] : undefined;
    if (inverted) return this.mux(inverted, b, a);
    if (a.width === 1) {
      if (a.op === "const") {
        return a.value === 1n ? this.or(select, b) : this.and(this.not(select), b);
      }
      if (b.op === "const") {
        return b.value === 0n ? this.and(select, a) : this.or(this.not(select), a);
      }
    }
    return this.intern("mux", a.width, [select, a, b]);
  }

  slice(a: Node, low: number, width: number): Node {
    if (width === a.width) return a;
    switch (a.op) {
      case "const":
        return this.constant(a.value >> BigInt(low), width);
      case "slice": {
        const [inner] = a.args;
        return inner ? this.slice(inner, a.index + low, width) : a;
      }
      case "concat":
        return this.sliceParts(a.args, low, width);
      case "zext":
      case "sext": {
        const [inner] = a.args;
        if (!inner) return a;
        if (low + width <= inner.width) return this.slice(inner, low, width);
        if (a.op === "zext" && low >= inner.width) return this.constant(0n, width);
        const sign = Math.min(low, inner.width - 1);
        const rest = this.slice(inner, sign, inner.width - sign);
        return a.op === "zext" ? this.zeroExtend(rest, width) : this.signExtend(rest, width);
      }
      default:
        return this.intern("slice", width, [a], 0n, low);
    }
  }

  private sliceParts(parts: readonly Node[], low: number, width: number): Node {
    const kept: Node[] = [];
    let start = 0;
    for (const part of parts) {
      const from = Math.max(low, start);
      const to = Math.min(low + width, start + part.width);
      if (from < to) kept.push(this.slice(part, from - start, to - from));
      start += part.width;
    }
    return this.concat(kept);
  }

  /** Joins words, the least significant first. */
  concat(parts: readonly Node[]): Node {
    const joined: Node[] = [];
    for (const part of parts) {
      for (const piece of part.op === "concat" ? part.args : [part]) {
        const last = joined.at(-1);
        const merged = last && this.joinNeighbours(last, piece);
        if (merged) joined[joined.length - 1] = merged;
        else joined.push(piece);
      }
    }
    const width = joined.reduce((sum, part) => sum + part.width, 0);
    const [first, second] = joined;
    if (first && !second) return first;
    const top = joined.at(-1);
    if (top?.op === "const" && top.value === 0n) {
      return this.zeroExtend(this.concat(joined.slice(0, -1)), width);
    }
    return this.intern("concat", width, joined);
  }

  /** Two neighbouring parts as one node, when they are constants or touching slices of one word. */
  private joinNeighbours(low: Node, high: Node): Node | undefined {
    const width = low.width + high.width;
    if (low.op === "const" && high.op === "const") {
      return this.constant(low.value | (high.value << BigInt(low.width)), width);
    }
    const source = low.op === "slice" ? low.args[0] : undefined;
    if (
      source &&
      high.op === "slice" &&
      high.args[0] === source &&
      high.index === low.index + low.width
    ) {
      return this.slice(source, low.index, width);
    }
    return undefined;
  }

  zeroExtend(a: Node, width: number): Node {
    if (a.width === width) return a;
    if (a.op === "const") return this.constant(a.value, width);
    const inner = a.op === "zext" ? a.args[0] : undefined;
    return inner ? this.zeroExtend(inner, width) : this.intern("zext", width, [a]);
  }

  signExtend(a: Node, width: number): Node {
    if (a.width === width) return a;
    if (a.op === "const") return this.constant(BigInt.asIntN(a.width, a.value), width);
    const inner = a.args[0];
    if (inner && a.op === "sext") return this.signExtend(inner, width);
    if (inner && a.op === "zext") return this.zeroExtend(inner, width);
    return this.intern("sext", width, [a]);
  }

  /** The exclusive or of all bits. */
  parity(a: Node): Node {
    if (a.width === 1) return a;
    if (a.op === "const") {
      let odd = 0n;
      for (let rest = a.value; rest !== 0n; rest >>= 1n) odd ^= rest & 1n;
      return this.constant(odd, 1);
    }
    return this.intern("parity", 1, [a]);
  }

  private intern(op: Operation, width: number, args: readonly Node[], value = 0n, index = 0): Node {
    let key = `${op},${width},${index},${value}`;
    for (const arg of args) key += `,${arg.id}`;
    const known = this.interned.get(key);
    if (known) return known;
    const node: Node = { id: this.count++, op, width, args, value, index };
    this.interned.set(key, node);
    return node;
  }
}

/** Operands of a commutative operation: constants last, else by age, so that equal nodes look equal. */
function ordered(a: Node, b: Node): readonly [Node, Node] {
  if (b.op === "const") return [a, b];
  if (a.op === "const") return [b, a];
  return a.id <= b.id ? [a, b] : [b, a];
}
