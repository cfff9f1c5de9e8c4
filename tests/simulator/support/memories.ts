import type { Candidate, Port } from "./judge";
import type { Random } from "./random";

const widths = [1, 7, 8, 15, 16, 31, 32, 33, 63, 64] as const;
const sizes = [2, 3, 5, 8, 13, 16, 32] as const;

const hexOf = (width: number, value: bigint): string => `${width}'h${value.toString(16)}`;

interface Shape {
  readonly width: number;
  readonly size: number;
  readonly addressBits: number;
  readonly contents: string;
}

function shapeOf(random: Random, width: number): Shape {
  const size = random.pick(sizes);
  const exact = Math.max(1, Math.ceil(Math.log2(size)));
  const words = Array.from(
    { length: size },
    (_, index) => `mem[${index}] = ${hexOf(width, random.bits(width))};`,
  );
  return {
    width,
    size,
    addressBits: random.chance(0.8) ? exact : exact + 1,
    contents: `reg [${width - 1}:0] mem [0:${size - 1}]; initial begin ${words.join(" ")} end`,
  };
}

/** Addresses mostly in range; beyond it Icarus reads x, which is masked. */
const address = (random: Random, { size, addressBits }: Shape): bigint =>
  BigInt(random.chance(0.97) ? random.below(size) : random.below(2 ** addressBits));

/** A port list with the rule by which each input's values are drawn. */
type Input = Port & { readonly draw: (random: Random) => bigint };

function candidate(
  name: string,
  random: Random,
  vectorCount: number,
  parts: { inputs: readonly Input[]; outputs: readonly Port[]; verilog: string },
): Candidate {
  return {
    name,
    cell: "$mem_v2",
    inputs: parts.inputs,
    outputs: parts.outputs,
    outputKind: "reg",
    verilog: parts.verilog,
    vectors: Array.from({ length: vectorCount }, () =>
      parts.inputs.map((input) => BigInt.asUintN(input.width, input.draw(random))),
    ),
  };
}

/** One or two write ports (whole words, or with an enable per bit group), one or two read ports, with or without a register. */
export function drawMemory(name: string, random: Random, vectorCount: number): Candidate {
  const shape = shapeOf(random, random.pick(widths));
  const { width, size, addressBits } = shape;
  const reads = 1 + random.below(2);
  const writes = random.below(3);
  const inputs: Input[] = [];
  const outputs: Port[] = [];
  const body: string[] = [];
  for (let port = 0; port < reads; port++) {
    inputs.push({ name: `ra${port}`, width: addressBits, draw: (r) => address(r, shape) });
    outputs.push({ name: `r${port}`, width });
    const gated = random.chance(0.5);
    const condition = gated ? `if (re${port}) ` : "";
    switch (random.below(3)) {
      case 0:
        body.push(`always @* r${port} = mem[ra${port}];`);
        continue;
      case 1:
        body.push(
          `initial r${port} = 0; always @(posedge clk) ${condition}r${port} <= mem[ra${port}];`,
        );
        break;
      default:
        // With the address in a register, a read shows what is written at the same time. Yosys recognises it
        // only without an initial value; the first read is x.
        body.push(
          `reg [${addressBits - 1}:0] held${port}; always @(posedge clk) held${port} <= ra${port}; always @* r${port} = mem[held${port}];`,
        );
        continue;
    }
    if (gated) inputs.push({ name: `re${port}`, width: 1, draw: (r) => BigInt(r.below(2)) });
  }
  for (let port = 0; port < writes; port++) {
    const bytes = random.chance(0.5) && width > 1;
    const lane = bytes ? Math.ceil(width / 2) : width;
    const lanes = Math.ceil(width / lane);
    inputs.push({ name: `wa${port}`, width: addressBits, draw: (r) => address(r, shape) });
    inputs.push({ name: `wd${port}`, width, draw: (r) => r.value(width) });
    inputs.push({ name: `we${port}`, width: lanes, draw: (r) => r.bits(lanes) });
    const updates = Array.from({ length: lanes }, (_, index) => {
      const range = `[${Math.min(width, (index + 1) * lane) - 1}:${index * lane}]`;
      return bytes
        ? `if (we${port}[${index}]) mem[wa${port}]${range} <= wd${port}${range};`
        : `if (we${port}) mem[wa${port}] <= wd${port};`;
    });
    // Writes of one process have an order; writes of two would race.
    body.push(updates.join(" "));
  }
  const readers = body.slice(0, reads);
  const writers = body.slice(reads);
  return candidate(name, random, vectorCount, {
    inputs,
    outputs,
    verilog: [
      `// ${size} words of ${width} bits`,
      shape.contents,
      ...readers,
      ...(writers.length > 0 ? [`always @(posedge clk) begin ${writers.join(" ")} end`] : []),
    ].join("\n"),
  });
}

/** Words of more than 64 bits: the ports show them in two parts. */
export function drawWideMemory(name: string, random: Random, vectorCount: number): Candidate {
  const width = random.pick([65, 72, 96, 127, 128]);
  const shape = shapeOf(random, width);
  const high = width - 64;
  return candidate(name, random, vectorCount, {
    inputs: [
      { name: "ra", width: shape.addressBits, draw: (r) => address(r, shape) },
      { name: "wa", width: shape.addressBits, draw: (r) => address(r, shape) },
      { name: "low", width: 64, draw: (r) => r.value(64) },
      { name: "high", width: high, draw: (r) => r.value(high) },
      { name: "we", width: 2, draw: (r) => r.bits(2) },
    ],
    outputs: [
      { name: "rl", width: 64 },
      { name: "rh", width: high },
    ],
    verilog: [
      shape.contents,
      random.chance(0.5)
        ? "always @* {rh, rl} = mem[ra];"
        : "initial {rh, rl} = 0; always @(posedge clk) {rh, rl} <= mem[ra];",
      "always @(posedge clk) begin",
      `  if (we[0]) mem[wa][49:0] <= low[49:0];`,
      `  if (we[1]) mem[wa][${width - 1}:50] <= {high, low[63:50]};`,
      "end",
    ].join("\n"),
  });
}
