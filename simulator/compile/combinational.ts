import { fail } from "@/lib/common/errors";
import type { Node } from "./circuit";
import { type Cell, flagParameter, numberParameter } from "./netlist";
import type { Word, Words } from "./words";

/** What a cell's rule sees: its operands as words, and how wide its result `Y` is. */
export interface CellContext {
  readonly cell: Cell;
  readonly words: Words;
  readonly width: number;
  readonly input: (port: string) => Word;
}

export type CellRule = (context: CellContext) => Word;

/** Operations that grow with the square of their width, and the widest that is lowered. */
const maxWidths = { divide: 256, multiply: 1024, power: 64 } as const;

function limitWidth(cell: Cell, operation: keyof typeof maxWidths, width: number): void {
  if (width <= maxWidths[operation]) return;
  throw fail(
    "CELL_UNSUPPORTED",
    `Cell ${cell.name} (${cell.type}) is ${width} bits wide; the simulator can ${operation} up to ${maxWidths[operation]} bits.`,
  );
}

function expectWidth(cell: Cell, port: string, width: number, expected: number): void {
  if (width === expected) return;
  throw fail(
    "NETLIST_INVALID",
    `Port ${port} of cell ${cell.name} (${cell.type}) has ${width} bits, not ${expected}.`,
  );
}

const signedOf = (cell: Cell, port: "A" | "B"): boolean => flagParameter(cell, `${port}_SIGNED`);

/** Operand `port`, extended by its own sign or cut. */
const operand = (context: CellContext, port: "A" | "B", width: number): Word =>
  context.words.resize(context.input(port), width, signedOf(context.cell, port));

const unary =
  (rule: (words: Words, a: Word) => Word): CellRule =>
  (context) =>
    rule(context.words, operand(context, "A", context.width));

const binary =
  (rule: (words: Words, a: Word, b: Word) => Word): CellRule =>
  (context) =>
    rule(context.words, operand(context, "A", context.width), operand(context, "B", context.width));

/** A rule whose result is one bit, extended by zeros. */
const flag =
  (rule: (context: CellContext) => Node): CellRule =>
  (context) =>
    context.words.resize(context.words.fromNode(rule(context)), context.width, false);

const reduce = (rule: (words: Words, a: Word) => Node): CellRule =>
  flag((context) => rule(context.words, context.input("A")));

const logic = (rule: (words: Words, a: Node, b: Node) => Node): CellRule =>
  flag(({ words, input }) => rule(words, words.any(input("A")), words.any(input("B"))));

const compare = (rule: (words: Words, a: Word, b: Word, signed: boolean) => Node): CellRule =>
  flag((context) => {
    const { cell, words, input } = context;
    const width = Math.max(input("A").width, input("B").width);
    const signed = signedOf(cell, "A") && signedOf(cell, "B");
    return rule(words, operand(context, "A", width), operand(context, "B", width), signed);
  });

const shift =
  (op: "shl" | "shru" | "shrs"): CellRule =>
  (context) => {
    const { words, input, width } = context;
    const inner = Math.max(input("A").width, width);
    const kind = op === "shrs" && !signedOf(context.cell, "A") ? "shru" : op;
    const shifted = words.shift(kind, operand(context, "A", inner), input("B"));
    return words.slice(shifted, 0, width);
  };

/** `$shift` and `$shiftx`: right by `B`, left where a signed `B` is negative; zeros come in. */
const indexed =
  (signedA: boolean): CellRule =>
  ({ cell, words, input, width }) => {
    const inner = Math.max(input("A").width, width);
    const a = words.resize(input("A"), inner, signedA && signedOf(cell, "A"));
    const b = input("B");
    const right = words.shift("shru", a, b);
    if (!signedOf(cell, "B")) return words.slice(right, 0, width);
    const left = words.shift("shl", a, words.negate(b));
    const negative = words.bits(b, b.width - 1, 1);
    return words.slice(words.mux(negative, left, right), 0, width);
  };

type Division = (
  words: Words,
  parts: { b: Word; quotient: Word; remainder: Word; crosses: Node },
) => Word;

/** Signed division by magnitudes. `crosses` tells that rounding down differs from cutting towards zero. */
const division =
  (pick: Division): CellRule =>
  (context) => {
    const { cell, words, input, width } = context;
    const inner = Math.max(input("A").width, input("B").width, width);
    limitWidth(cell, "divide", inner);
    const a = operand(context, "A", inner);
    const b = operand(context, "B", inner);
    const { circuit } = words;
    if (!(signedOf(cell, "A") && signedOf(cell, "B"))) {
      const { quotient, remainder } = words.divide(a, b);
      const crosses = circuit.constant(0n, 1);
      return words.slice(pick(words, { b, quotient, remainder, crosses }), 0, width);
    }
    const sign = (word: Word): Node => words.bits(word, inner - 1, 1);
    const negateIf = (condition: Node, word: Word): Word =>
      words.mux(condition, words.negate(word), word);
    const magnitudes = words.divide(negateIf(sign(a), a), negateIf(sign(b), b));
    const differ = circuit.xor(sign(a), sign(b));
    const quotient = negateIf(differ, magnitudes.quotient);
    const remainder = negateIf(sign(a), magnitudes.remainder);
    const crosses = circuit.and(differ, words.any(remainder));
    return words.slice(pick(words, { b, quotient, remainder, crosses }), 0, width);
  };

/** Square and multiply, unrolled over the exponent's bits; a negative exponent leaves only 1 and −1 non-zero. */
const power: CellRule = (context) => {
  const { cell, words, input, width } = context;
  const { circuit } = words;
  const exponent = input("B");
  limitWidth(cell, "power", Math.max(width, exponent.width));
  const one = words.constant(1n, width);
  let base = operand(context, "A", width);
  let result = one;
  for (let bit = 0; bit < exponent.width; bit++) {
    result = words.mux(words.bits(exponent, bit, 1), words.mul(result, base), result);
    base = words.mul(base, base);
  }
  if (!signedOf(cell, "B")) return result;
  const a = input("A");
  const isOne = words.equal(a, words.constant(1n, a.width));
  const isMinusOne = signedOf(cell, "A") ? words.all(a) : circuit.constant(0n, 1);
  const odd = words.bits(exponent, 0, 1);
  const zero = words.constant(0n, width);
  const minusOne = words.mux(odd, words.constant(-1n, width), one);
  const inverse = words.mux(isMinusOne, minusOne, words.mux(isOne, one, zero));
  return words.mux(words.bits(exponent, exponent.width - 1, 1), inverse, result);
};

const parallelMux: CellRule = ({ cell, words, input, width }) => {
  const choices = input("B");
  const select = input("S");
  expectWidth(cell, "B", choices.width, select.width * width);
  let result = input("A");
  for (let index = select.width - 1; index >= 0; index--) {
    const choice = words.slice(choices, index * width, width);
    result = words.mux(words.bits(select, index, 1), choice, result);
  }
  return result;
};

const binaryMux: CellRule = ({ cell, words, input, width }) => {
  const select = input("S");
  expectWidth(cell, "A", input("A").width, 2 ** select.width * width);
  let level = Array.from({ length: 2 ** select.width }, (_, index) =>
    words.slice(input("A"), index * width, width),
  );
  for (let bit = 0; bit < select.width; bit++) {
    const condition = words.bits(select, bit, 1);
    level = level.flatMap((low, index) => {
      const high = level[index + 1];
      return index % 2 === 0 && high ? [words.mux(condition, high, low)] : [];
    });
  }
  return words.join(level);
};

const demultiplexer: CellRule = ({ cell, words, input, width }) => {
  const a = input("A");
  const select = input("S");
  expectWidth(cell, "Y", width, 2 ** select.width * a.width);
  const zero = words.constant(0n, a.width);
  return words.join(
    Array.from({ length: 2 ** select.width }, (_, index) =>
      words.mux(words.equal(select, words.constant(BigInt(index), select.width)), a, zero),
    ),
  );
};

/** Every combinational cell the simulator knows, by Yosys' name; each drives `Y`. */
export const combinationalRules: ReadonlyMap<string, CellRule> = new Map<string, CellRule>([
  ["$not", unary((words, a) => words.not(a))],
  ["$pos", unary((_, a) => a)],
  ["$buf", unary((_, a) => a)],
  ["$neg", unary((words, a) => words.negate(a))],
  ["$and", binary((words, a, b) => words.and(a, b))],
  ["$or", binary((words, a, b) => words.or(a, b))],
  ["$xor", binary((words, a, b) => words.xor(a, b))],
  ["$xnor", binary((words, a, b) => words.not(words.xor(a, b)))],
  ["$add", binary((words, a, b) => words.add(a, b))],
  ["$sub", binary((words, a, b) => words.sub(a, b))],
  [
    "$mul",
    (context) => {
      limitWidth(context.cell, "multiply", context.width);
      return binary((words, a, b) => words.mul(a, b))(context);
    },
  ],
  ["$div", division((_, { quotient }) => quotient)],
  ["$mod", division((_, { remainder }) => remainder)],
  [
    "$divfloor",
    division((words, { quotient, crosses }) =>
      words.mux(crosses, words.sub(quotient, words.constant(1n, quotient.width)), quotient),
    ),
  ],
  [
    "$modfloor",
    division((words, { b, remainder, crosses }) =>
      words.mux(crosses, words.add(remainder, b), remainder),
    ),
  ],
  ["$pow", power],
  ["$reduce_and", reduce((words, a) => words.all(a))],
  ["$reduce_or", reduce((words, a) => words.any(a))],
  ["$reduce_bool", reduce((words, a) => words.any(a))],
  ["$reduce_xor", reduce((words, a) => words.parity(a))],
  ["$reduce_xnor", reduce((words, a) => words.circuit.not(words.parity(a)))],
  ["$logic_not", reduce((words, a) => words.circuit.not(words.any(a)))],
  ["$logic_and", logic((words, a, b) => words.circuit.and(a, b))],
  ["$logic_or", logic((words, a, b) => words.circuit.or(a, b))],
  ["$lt", compare((words, a, b, signed) => words.less(a, b, signed))],
  ["$le", compare((words, a, b, signed) => words.circuit.not(words.less(b, a, signed)))],
  ["$gt", compare((words, a, b, signed) => words.less(b, a, signed))],
  ["$ge", compare((words, a, b, signed) => words.circuit.not(words.less(a, b, signed)))],
  ["$eq", compare((words, a, b) => words.equal(a, b))],
  ["$ne", compare((words, a, b) => words.circuit.not(words.equal(a, b)))],
  ["$eqx", compare((words, a, b) => words.equal(a, b))],
  ["$nex", compare((words, a, b) => words.circuit.not(words.equal(a, b)))],
  ["$shl", shift("shl")],
  ["$sshl", shift("shl")],
  ["$shr", shift("shru")],
  ["$sshr", shift("shrs")],
  ["$shift", indexed(true)],
  ["$shiftx", indexed(false)],
  [
    "$mux",
    ({ cell, words, input, width }) => {
      expectWidth(cell, "A", input("A").width, width);
      expectWidth(cell, "B", input("B").width, width);
      expectWidth(cell, "S", input("S").width, 1);
      return words.mux(words.node(input("S")), input("B"), input("A"));
    },
  ],
  ["$pmux", parallelMux],
  ["$bmux", binaryMux],
  ["$demux", demultiplexer],
  [
    "$bwmux",
    ({ cell, words, input, width }) => {
      for (const port of ["A", "B", "S"]) expectWidth(cell, port, input(port).width, width);
      return words.or(
        words.and(input("A"), words.not(input("S"))),
        words.and(input("B"), input("S")),
      );
    },
  ],
  ["$concat", ({ words, input }) => words.concat(input("A"), input("B"))],
  [
    "$slice",
    ({ cell, words, input, width }) => {
      const offset = numberParameter(cell, "OFFSET");
      expectWidth(cell, "Y", width, Math.min(width, input("A").width - offset));
      return words.slice(input("A"), offset, width);
    },
  ],
]);
