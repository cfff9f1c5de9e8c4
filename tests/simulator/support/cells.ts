import type { Candidate, Port } from "./judge";
import type { Random } from "./random";

/** How a kind of cell is written down at random: see `cellKinds`. */
export interface CellKind {
  readonly cell: string;
  readonly make: (random: Random) => Draft;
}

type Draft = Omit<Candidate, "name" | "cell" | "vectors"> & {
  /** How an input's values are chosen, where any value would not do. */
  readonly values?: Readonly<Record<string, (random: Random, width: number) => bigint>>;
};

const widths = [1, 31, 32, 33, 63, 64] as const;
const widthOf = (random: Random): number =>
  random.chance(0.85) ? random.pick(widths) : 1 + random.below(64);

const port = (name: string, width: number): Port => ({ name, width });

/** A candidate with its vectors. */
export function draw(kind: CellKind, name: string, random: Random, vectorCount: number): Candidate {
  const { values = {}, ...draft } = kind.make(random);
  const vectors = Array.from({ length: vectorCount }, () =>
    draft.inputs.map((input) => {
      const choose = values[input.name];
      return BigInt.asUintN(
        input.width,
        choose ? choose(random, input.width) : random.value(input.width),
      );
    }),
  );
  return { ...draft, name, cell: kind.cell, vectors };
}

const seldomZero = (random: Random, width: number): bigint => {
  const value = random.value(width);
  return value === 0n && random.chance(0.95) ? 1n : value;
};

/** Never negative: Icarus 11 answers 0 to 1 ** -2, where IEEE 1800 table 11-4 and Yosys say 1 (see the unit test). */
const exponent = (random: Random, width: number): bigint =>
  (random.chance(0.7) ? BigInt(random.below(12)) : random.value(width)) &
  ((1n << BigInt(width - 1)) - 1n);

const unary = (cell: string, operator: string): CellKind => ({
  cell,
  make: (random) => ({
    inputs: [port("a", widthOf(random))],
    outputs: [port("y", widthOf(random))],
    signed: random.chance(0.5) ? ["a"] : [],
    verilog: `assign y = ${operator}a;`,
  }),
});

const binary = (cell: string, operator: string, values: Draft["values"] = {}): CellKind => ({
  cell,
  make: (random) => ({
    inputs: [port("a", widthOf(random)), port("b", widthOf(random))],
    outputs: [port("y", widthOf(random))],
    signed: random.chance(0.5) ? ["a", "b"] : [],
    verilog: `assign y = a ${operator} b;`,
    values,
  }),
});

/** Amounts around the width, and seldom anything. */
const shiftAmount = (random: Random, width: number): bigint =>
  random.chance(0.8) ? BigInt(random.below(70)) : random.value(width);

const shift = (cell: string, operator: string): CellKind => ({
  cell,
  make: (random) => ({
    inputs: [port("a", widthOf(random)), port("b", widthOf(random))],
    outputs: [port("y", widthOf(random))],
    signed: ["a", "b"].filter(() => random.chance(0.5)),
    verilog: `assign y = a ${operator} b;`,
    values: { b: shiftAmount },
  }),
});

const flag = (value: boolean): string => (value ? "1" : "0");

/** A cell in RTLIL whose ports are named like the module's, in upper case; `wired` gives others their signals. */
function rtlilCell(
  type: string,
  parameters: Readonly<Record<string, number | string>>,
  ports: readonly string[],
  wired: Readonly<Record<string, string>> = {},
): string {
  return [
    `  cell ${type} \\it`,
    ...Object.entries(parameters).map(([name, value]) => `    parameter \\${name} ${value}`),
    ...ports.map((name) => `    connect \\${name.toUpperCase()} \\${name}`),
    ...Object.entries(wired).map(
      ([name, signal]) => `    connect \\${name.toUpperCase()} ${signal}`,
    ),
    "  end",
  ].join("\n");
}

/**
 * Division that rounds down exists in RTLIL only. The Verilog is the definition: the quotient that cuts, less one
 * where there is a remainder and the signs differ.
 */
const flooring = (cell: string, result: string): CellKind => ({
  cell,
  make: (random) => {
    const [a, b, y] = [widthOf(random), widthOf(random), widthOf(random)];
    const signed = random.chance(0.5);
    const word = `${signed ? "signed " : ""}[63:0]`;
    return {
      inputs: [port("a", a), port("b", b)],
      outputs: [port("y", y)],
      signed: signed ? ["a", "b"] : [],
      verilog: [
        `wire ${word} p = a; wire ${word} d = b;`,
        `wire ${word} q = p / d; wire ${word} r = p % d;`,
        signed ? "wire down = (r != 0) && ((r < 0) != (d < 0));" : "wire down = 1'b0;",
        `wire ${word} f = ${result}; assign y = f;`,
      ].join("\n"),
      rtlil: rtlilCell(
        cell,
        {
          A_SIGNED: flag(signed),
          B_SIGNED: flag(signed),
          A_WIDTH: a,
          B_WIDTH: b,
          Y_WIDTH: y,
        },
        ["a", "b", "y"],
      ),
      values: { b: seldomZero },
    };
  },
});

/** `$shift` moves right by B, or left where a signed B is negative, and fills with zeros. */
const dynamicShift: CellKind = {
  cell: "$shift",
  make: (random) => {
    const [a, b, y] = [widthOf(random), widthOf(random), widthOf(random)];
    const signed = ["a", "b"].filter(() => random.chance(0.5));
    const inner = Math.max(a, y);
    return {
      inputs: [port("a", a), port("b", b)],
      outputs: [port("y", y)],
      signed,
      verilog: [
        `wire ${signed.includes("a") ? "signed " : ""}[${inner - 1}:0] w = a;`,
        `wire [${b - 1}:0] m = -b;`,
        signed.includes("b")
          ? `wire [${inner - 1}:0] s = b[${b - 1}] ? w << m : w >> b;`
          : `wire [${inner - 1}:0] s = w >> b;`,
        "assign y = s;",
      ].join("\n"),
      rtlil: rtlilCell(
        "$shift",
        {
          A_SIGNED: flag(signed.includes("a")),
          B_SIGNED: flag(signed.includes("b")),
          A_WIDTH: a,
          B_WIDTH: b,
          Y_WIDTH: y,
        },
        ["a", "b", "y"],
      ),
      values: {
        b: (own, width) => (own.chance(0.8) ? BigInt(own.below(80) - 40) : own.value(width)),
      },
    };
  },
};

/** An indexed part select; the index mostly stays inside, where Icarus has an answer. */
const partSelect: CellKind = {
  cell: "$shiftx",
  make: (random) => {
    const a = random.pick([31, 32, 33, 63, 64]);
    const y = 1 + random.below(Math.min(a, 8));
    const signed = random.chance(0.5);
    return {
      inputs: [port("a", a), port("b", random.pick([7, 8, 31, 32, 33, 63, 64]))],
      outputs: [port("y", y)],
      signed: signed ? ["b"] : [],
      verilog: `assign y = a[b +: ${y}];`,
      values: {
        b: (own) =>
          BigInt(own.chance(0.97) ? own.below(a - y + 1) : own.below(80) - (signed ? 20 : 0)),
      },
    };
  },
};

const multiplexer: CellKind = {
  cell: "$mux",
  make: (random) => {
    const width = widthOf(random);
    return {
      inputs: [port("s", 1), port("a", width), port("b", width)],
      outputs: [port("y", width)],
      verilog: "assign y = s ? a : b;",
    };
  },
};

const condition: CellKind = {
  cell: "$reduce_bool",
  make: (random) => {
    const width = widthOf(random);
    return {
      inputs: [port("a", Math.max(2, widthOf(random))), port("b", width), port("c", width)],
      outputs: [port("y", width)],
      verilog: "assign y = a ? b : c;",
    };
  },
};

const caseStatement: CellKind = {
  cell: "$pmux",
  make: (random) => {
    const width = widthOf(random);
    const choices = 2 + random.below(5);
    const arms = Array.from({ length: choices }, (_, index) => `${index}: y = c${index};`);
    return {
      inputs: [
        port("s", 3),
        port("d", width),
        ...Array.from({ length: choices }, (_, index) => port(`c${index}`, width)),
      ],
      outputs: [port("y", width)],
      outputKind: "reg",
      verilog: `always @* case (s) ${arms.join(" ")} default: y = d; endcase`,
    };
  },
};

const binaryMux: CellKind = {
  cell: "$bmux",
  make: (random) => {
    const width = widthOf(random);
    const s = 1 + random.below(3);
    const choices = Array.from({ length: 2 ** s }, (_, index) => `c${index}`);
    const joined = `{ ${choices
      .map((name) => `\\${name}`)
      .toReversed()
      .join(" ")} }`;
    return {
      inputs: [...choices.map((name) => port(name, width)), port("s", s)],
      outputs: [port("y", width)],
      verilog: `assign y = {${choices.toReversed().join(", ")}} >> (s * ${width});`,
      rtlil: rtlilCell("$bmux", { WIDTH: width, S_WIDTH: s }, ["s", "y"], { a: joined }),
    };
  },
};

const demultiplexer: CellKind = {
  cell: "$demux",
  make: (random) => {
    const s = 1 + random.below(3);
    const width = random.pick([1, 2, 4, 7, 8]);
    return {
      inputs: [port("a", width), port("s", s)],
      outputs: [port("y", width << s)],
      verilog: `wire [63:0] w = a; wire [63:0] m = w << (s * ${width}); assign y = m;`,
      rtlil: rtlilCell("$demux", { WIDTH: width, S_WIDTH: s }, ["a", "s", "y"]),
    };
  },
};

const bitwiseMux: CellKind = {
  cell: "$bwmux",
  make: (random) => {
    const width = widthOf(random);
    return {
      inputs: [port("a", width), port("b", width), port("s", width)],
      outputs: [port("y", width)],
      verilog: "assign y = (a & ~s) | (b & s);",
      rtlil: rtlilCell("$bwmux", { WIDTH: width }, ["a", "b", "s", "y"]),
    };
  },
};

const concatenation: CellKind = {
  cell: "$concat",
  make: (random) => {
    const [a, b] = [1 + random.below(32), 1 + random.below(32)];
    return {
      inputs: [port("a", a), port("b", b)],
      outputs: [port("y", a + b)],
      verilog: "assign y = {b, a};",
      rtlil: rtlilCell("$concat", { A_WIDTH: a, B_WIDTH: b }, ["a", "b", "y"]),
    };
  },
};

const slice: CellKind = {
  cell: "$slice",
  make: (random) => {
    const a = random.pick(widths);
    const offset = random.below(a);
    const y = 1 + random.below(a - offset);
    return {
      inputs: [port("a", a)],
      outputs: [port("y", y)],
      verilog: a === 1 ? "assign y = a;" : `assign y = a[${offset} +: ${y}];`,
      rtlil: rtlilCell("$slice", { OFFSET: offset, A_WIDTH: a, Y_WIDTH: y }, ["a", "y"]),
    };
  },
};

const plain = (cell: string, expression: string): CellKind => ({
  cell,
  make: (random) => {
    const [a, y] =
      cell === "$buf" ? Array(2).fill(widthOf(random)) : [widthOf(random), widthOf(random)];
    const signed = cell !== "$buf" && random.chance(0.5);
    return {
      inputs: [port("a", a)],
      outputs: [port("y", y)],
      signed: signed ? ["a"] : [],
      verilog: `assign y = ${expression};`,
      rtlil: rtlilCell(
        cell,
        cell === "$buf" ? { WIDTH: a } : { A_SIGNED: flag(signed), A_WIDTH: a, Y_WIDTH: y },
        ["a", "y"],
      ),
    };
  },
});

/** Every combinational cell the simulator takes. The judge's Verilog says the operation itself, never Yosys' version of it. */
export const cellKinds: readonly CellKind[] = [
  unary("$not", "~"),
  unary("$neg", "-"),
  plain("$pos", "a"),
  plain("$buf", "a"),
  unary("$reduce_and", "&"),
  unary("$reduce_or", "|"),
  unary("$reduce_xor", "^"),
  unary("$reduce_xnor", "~^"),
  unary("$logic_not", "!"),
  condition,
  binary("$and", "&"),
  binary("$or", "|"),
  binary("$xor", "^"),
  binary("$xnor", "~^"),
  binary("$add", "+"),
  binary("$sub", "-"),
  binary("$mul", "*"),
  binary("$div", "/", { b: seldomZero }),
  binary("$mod", "%", { b: seldomZero }),
  flooring("$divfloor", "q - down"),
  flooring("$modfloor", "down ? r + d : r"),
  binary("$pow", "**", { a: seldomZero, b: exponent }),
  binary("$lt", "<"),
  binary("$le", "<="),
  binary("$eq", "=="),
  binary("$ne", "!="),
  binary("$eqx", "==="),
  binary("$nex", "!=="),
  binary("$ge", ">="),
  binary("$gt", ">"),
  binary("$logic_and", "&&"),
  binary("$logic_or", "||"),
  shift("$shl", "<<"),
  shift("$sshl", "<<<"),
  shift("$shr", ">>"),
  shift("$sshr", ">>>"),
  dynamicShift,
  partSelect,
  multiplexer,
  caseStatement,
  binaryMux,
  demultiplexer,
  bitwiseMux,
  concatenation,
  slice,
];
