import { type Range, trailingZeros, widthOf } from "../../integer/range";
import type { Term, Value } from "./network";
import { adderWidth, type NetworkBuilder, wiresBelow } from "./network-builder";

/** What decides which two terms of a row are joined next. */
export interface Summation {
  /** Bits of cost that a subtraction counts more than an addition. */
  readonly subtractBits: number;
  /** Bits of cost for each bit that waits one level for its partner. */
  readonly waitingBits: number;
  /** Whether the adder of two terms with one sign takes the constant besides. */
  readonly constantsInChains: boolean;
}

/** A term with what joining it depends on. */
interface Operand {
  readonly term: Term;
  readonly range: Range;
  readonly width: number;
  readonly level: number;
  /** 2^level: a row fits under a level as long as its weights do. */
  readonly weight: number;
}

/** Two operands to be joined, the lower first, or one and the constant; or all three. */
interface Join {
  readonly cost: number;
  readonly low: Operand;
  readonly high: Operand | null;
  readonly takesConstant?: boolean;
}

/** Terms that are left when the constant must join, whatever it costs: of three, two have one sign. */
const lastTerms = 4;

/**
 * Sums the terms of a row and a constant with two-input adders, always joining the pair that costs least: narrow,
 * ready at the same time, of one sign. No join makes the row miss `level`, as long as it could be met at all.
 */
export function sumRow(
  builder: NetworkBuilder,
  terms: readonly Term[],
  constant: number,
  { level, ...summation }: Summation & { readonly level: number },
): Value {
  if (terms.length === 0) return { kind: "constant", constant };
  let rest = terms.map((term) => operandOf(builder, term));
  let pending = constant;
  let limit = 2 ** level;
  const lowest = 2 ** Math.min(...terms.map(({ shift }) => shift));
  for (;;) {
    const [only] = rest;
    const open = isOpen(rest, pending, lowest);
    if (rest.length === 1 && only && !open) {
      return { kind: "term", term: only.term, constant: pending };
    }
    const takers = open ? takersOf(rest, pending, lowest) : [];
    const rides = summation.constantsInChains && open && !isTurned(rest, lowest);
    const row = { rest, pending, lowest, limit, open, takers, rides };
    const join = bestJoin(row, summation);
    if (!join) {
      limit *= 2;
      continue;
    }
    const { low, high, takesConstant = false } = join;
    rest = rest.filter((operand) => operand !== low && operand !== high);
    if (high && takesConstant) {
      const { added, left } = ridingConstant(pending, low.term);
      rest.push(operandOf(builder, biased(builder, low.term, high.term, added)));
      pending = left;
    } else if (high) rest.push(operandOf(builder, joined(builder, low.term, high.term)));
    else {
      const { left, high: added } = splitConstant(pending, low.term.shift);
      const signal = builder.offset(low.term.signal, low.term.negative, added);
      rest.push(operandOf(builder, { signal, shift: low.term.shift, negative: false }));
      pending = left;
    }
  }
}

interface Row {
  readonly rest: readonly Operand[];
  readonly pending: number;
  /** 2^shift of the row's lowest term. */
  readonly lowest: number;
  readonly limit: number;
  readonly open: boolean;
  /** Terms to which the constant can be added, the lightest first. */
  readonly takers: readonly Operand[];
  /** Whether the adder of two terms takes the constant besides, so that it adds nothing to the depth of the tree. */
  readonly rides: boolean;
}

function bestJoin(row: Row, summation: Summation): Join | null {
  const { rest, open, rides } = row;
  const pair = bestPair(row, summation);
  if (rides && rest.length > 1) {
    const riding = bestRidingPair(row, summation);
    if (riding && (!pair || rest.length <= lastTerms || riding.cost <= pair.cost)) return riding;
    return pair;
  }
  const offset = open ? bestOffset(row, summation) : null;
  return !pair || (offset && offset.cost < pair.cost) ? offset : pair;
}

/**
 * Terms that take the constant without a bit left that must be added below them. Where all terms with the lowest bit are
 * subtracted, the constant turns the sign of one of them, or else the sum would need an adder for its sign.
 */
function takersOf(rest: readonly Operand[], pending: number, lowest: number): Operand[] {
  const takers = isTurned(rest, lowest)
    ? lowTermsOf(rest, lowest)
    : rest.filter(({ term }) => splitConstant(pending, term.shift).left < lowest);
  return takers.sort((a, b) => a.weight - b.weight);
}

const lowTermsOf = (rest: readonly Operand[], lowest: number): Operand[] =>
  rest.filter(({ term }) => 2 ** term.shift === lowest);

/** Whether all terms with the lowest bit are subtracted, so that the sum needs an adder for its sign. */
const isTurned = (rest: readonly Operand[], lowest: number): boolean =>
  lowTermsOf(rest, lowest).every(({ term }) => term.negative);

function operandOf(builder: NetworkBuilder, term: Term): Operand {
  const range = builder.rangeOf(term.signal);
  const level = builder.levelOf(term.signal);
  return { term, range, width: widthOf(range), level, weight: 2 ** level };
}

/** Whether an adder is still needed for the constant: below the lowest bit of all terms it is wires, unless a sign turns. */
function isOpen(rest: readonly Operand[], pending: number, lowest: number): boolean {
  return pending < 0 || pending >= lowest || (rest.length === 1 && rest[0]?.term.negative === true);
}

const loadOf = ({ rest, open, rides }: Row): number =>
  rest.reduce((sum, { weight }) => sum + weight, open && !rides ? 1 : 0);

/** The pair of one sign whose adder is narrowest with the constant in it. */
function bestRidingPair(row: Row, { waitingBits }: Summation): Join | null {
  const load = loadOf(row);
  let best: Join | null = null;
  for (const [index, one] of row.rest.entries()) {
    for (const other of row.rest.slice(0, index)) {
      if (one.term.negative !== other.term.negative) continue;
      if (load + Math.abs(one.weight - other.weight) > row.limit) continue;
      const low = one.term.shift < other.term.shift ? one : other;
      const high = low === one ? other : one;
      const { added, left } = ridingConstant(row.pending, low.term);
      if (left >= row.lowest) continue;
      const shift = high.term.shift - low.term.shift;
      const width = widthOf({
        min: low.range.min + 2 ** shift * high.range.min + added,
        max: low.range.max + 2 ** shift * high.range.max + added,
      });
      const wait = low.level - high.level;
      const waiting = wait > 0 ? wait * high.width : -wait * low.width;
      const cost = width - wiresBelow(shift, added) + waiting * waitingBits;
      if (!best || cost < best.cost) best = { cost, low, high, takesConstant: true };
    }
  }
  return best;
}

/** What of a constant is added within the adder of a term, and what is left. */
function ridingConstant(
  constant: number,
  { shift, negative }: Term,
): { added: number; left: number } {
  const { high, left } = splitConstant(constant, shift);
  return { added: negative ? -high : high, left };
}

function bestPair(row: Row, { subtractBits, waitingBits }: Summation): Join | null {
  const load = loadOf(row);
  let best: Join | null = null;
  for (const [index, one] of row.rest.entries()) {
    for (let before = 0; before < index; before++) {
      const other = row.rest[before];
      if (!other) continue;
      const joinedLoad = load + Math.abs(one.weight - other.weight);
      if (joinedLoad > row.limit) continue;
      const low = one.term.shift < other.term.shift ? one : other;
      const high = low === one ? other : one;
      if (row.open && !row.rides && joinedLoad - 1 + lightestTaker(row, low, high) > row.limit)
        continue;
      const shift = high.term.shift - low.term.shift;
      const negative = low.term.negative !== high.term.negative;
      const scale = 2 ** shift;
      const sum = negative
        ? {
            min: low.range.min - scale * high.range.max,
            max: low.range.max - scale * high.range.min,
          }
        : {
            min: low.range.min + scale * high.range.min,
            max: low.range.max + scale * high.range.max,
          };
      const wait = low.level - high.level;
      const waiting = wait > 0 ? wait * high.width : -wait * low.width;
      const cost =
        adderWidth(low.range, { shift, negative }, sum) +
        (negative ? subtractBits : 0) +
        waiting * waitingBits;
      if (!best || cost < best.cost) best = { cost, low, high };
    }
  }
  return best;
}

/** What the lightest term weighs that can take the constant once two operands are joined. */
function lightestTaker({ takers }: Row, low: Operand, high: Operand): number {
  const other = takers.find((operand) => operand !== low && operand !== high);
  const own = takers.includes(low) ? 2 * Math.max(low.weight, high.weight) : Infinity;
  return Math.min(other?.weight ?? Infinity, own);
}

function bestOffset(row: Row, { subtractBits }: Summation): Join | null {
  const { rest, pending, limit, takers } = row;
  const load = loadOf(row);
  let best: Join | null = null;
  for (const low of takers) {
    const { high } = splitConstant(pending, low.term.shift);
    if (rest.length > 1 && load - 1 + low.weight > limit) continue;
    const wires = high === 0 || low.term.negative ? 0 : trailingZeros(high);
    const constantWidth = widthOf({ min: Math.min(0, high), max: Math.max(0, high) });
    const cost =
      Math.max(low.width, constantWidth) + 1 - wires + (low.term.negative ? subtractBits : 0);
    if (!best || cost < best.cost) best = { cost, low, high: null };
  }
  return best;
}

/** What of a constant is added to a term of this shift, and the bits below it that are left. */
function splitConstant(constant: number, shift: number): { high: number; left: number } {
  const scale = 2 ** shift;
  const left = ((constant % scale) + scale) % scale;
  return { high: (constant - left) / scale, left };
}

function biased(builder: NetworkBuilder, low: Term, high: Term, constant: number): Term {
  const shift = high.shift - low.shift;
  const signal = builder.biased(low.signal, { signal: high.signal, shift }, constant);
  return { signal, shift: low.shift, negative: low.negative };
}

function joined(builder: NetworkBuilder, low: Term, high: Term): Term {
  const shift = high.shift - low.shift;
  const negative = low.negative !== high.negative;
  // Of a difference without shift, the positive operand comes first.
  if (shift === 0 && negative && low.negative) {
    const signal = builder.sum(high.signal, { signal: low.signal, shift, negative });
    return { signal, shift: low.shift, negative: false };
  }
  const signal = builder.sum(low.signal, { signal: high.signal, shift, negative });
  return { signal, shift: low.shift, negative: low.negative };
}
