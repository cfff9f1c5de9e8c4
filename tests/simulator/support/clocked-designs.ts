import type { Candidate } from "./judge";
import type { Random } from "./random";

/** How a drawn design is made. */
export interface ClockedShape {
  readonly registers: number;
  /** Chance that a register reads an input, so that it and what follows it never rests. */
  readonly noise: number;
  /** Chance that a register reads any other one, its own followers included, instead of earlier ones. */
  readonly circular: number;
  readonly vectors: number;
}

/** Registers of one stage of a pipeline. */
const stage = 8;

/**
 * A design of registers with enables, and of registers that follow others as the stages of a pipeline do. Enables are
 * inputs, bits of registers or both; some registers share one. The Verilog is what a person would write.
 */
export function drawClocked(
  name: string,
  random: Random,
  { registers, noise, circular, vectors }: ClockedShape,
): Candidate {
  const inputs = [
    { name: "a", width: 8 },
    { name: "en", width: 3 },
    { name: "rst", width: 1 },
  ];
  const widths = Array.from({ length: registers }, () => random.pick([1, 5, 8, 13, 40]));
  const source = (index: number): string => {
    if (random.chance(circular)) return `r${random.below(registers)}`;
    const from = index - (index % stage) - stage;
    if (random.chance(from < 0 ? 0.7 : noise)) return "a";
    return `r${Math.max(0, from) + random.below(Math.min(stage, registers))}`;
  };
  const enable = (index: number): string => {
    const bit = `en[${random.below(3)}]`;
    return index > 0 && random.chance(0.4) ? `${bit} & r${random.below(index)}[0]` : bit;
  };
  const enables = Array.from({ length: 4 }, () => enable(registers));
  const lines = widths.map((width, index) => {
    const sum = `${source(index)} ${random.pick(["+", "-", "^", "&", "|"])} ${source(index)}`;
    const take = `r${index} <= ${sum};`;
    const kind = random.below(index < stage ? 8 : 100);
    if (kind < 6) return `if (${random.pick(enables)}) ${take}`;
    if (kind < 8) return `if (rst) r${index} <= ${width}'d1; else if (${enable(index)}) ${take}`;
    return take;
  });
  const shown = widths.map((width, index) => ({ name: `q${index}`, width }));
  return {
    name,
    cell: "$dff",
    inputs,
    outputs: shown,
    verilog: [
      ...widths.map(
        (width, index) =>
          `reg [${width - 1}:0] r${index} = ${width}'d${random.bits(Math.min(width, 8))}; assign q${index} = r${index};`,
      ),
      `always @(posedge clk) begin ${lines.join("\n")} end`,
    ].join("\n"),
    // Long pauses, so that what follows comes to rest, and some cycles in a row in which things change.
    vectors: Array.from({ length: vectors }, (_, at) => {
      const busy = at % 24 < 8;
      return [random.bits(8), busy ? random.bits(3) : 0n, random.chance(0.05) ? 1n : 0n];
    }),
  };
}
