import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A cell in some of its modes, and how it is driven: every input at random, unless said otherwise. */
export interface CellTrial {
  readonly cell: string;
  /** Values of its parameters, as Verilog; one entry for each mode. */
  readonly modes?: readonly Readonly<Record<string, string>>[];
  readonly clocks?: readonly string[];
  /** Inputs that keep a value, or get only some bits of a random one: Verilog with `$` for it. */
  readonly drive?: Readonly<Record<string, string>>;
}

interface Port {
  readonly name: string;
  readonly width: number;
  readonly input: boolean;
}

/** The ports of a module of our models: `input [3:0] DI, WAD, input WRE, output reg Q`. */
function portsOf(models: string, cell: string): Port[] {
  const header = new RegExp(`^module ${cell} \\(([^;]*)\\);`, "m").exec(models)?.[1];
  if (header === undefined) throw new Error(`there is no model of ${cell}`);
  let input = true;
  let width = 1;
  return header.split(",").map((text) => {
    const words = /^\s*(?:(input|output)\s+(?:reg\s+)?)?(?:\[(\d+):0\]\s*)?(\w+)\s*$/.exec(text);
    if (!words) throw new Error(`cannot read the port ${text}`);
    const [, direction, high, name = ""] = words;
    if (direction !== undefined) input = direction === "input";
    if (direction !== undefined || high !== undefined) width = Number(high ?? 0) + 1;
    return { name, width, input };
  });
}

const cycles = 2000;

function instance(models: string, trial: CellTrial, mode: number): { text: string; check: string } {
  const { cell, modes = [{}], clocks = [], drive = {} } = trial;
  const ports = portsOf(models, cell);
  const id = `${cell}_${mode}`;
  const parameters = Object.entries(modes[mode] ?? {}).map(([name, value]) => `.${name}(${value})`);
  const setting = parameters.length > 0 ? ` #(${parameters.join(", ")})` : "";
  const wires = (side: string) =>
    ports
      .map(({ name, input }) => {
        if (clocks.includes(name)) return `.${name}(clk)`;
        return `.${name}(${id}_${input ? "" : `${side}_`}${name})`;
      })
      .join(", ");
  const inputs = ports.filter(({ name, input }) => input && !clocks.includes(name));
  const outputs = ports.filter(({ input }) => !input);
  const declared = [
    ...inputs.map(({ name, width }) => `  reg [${width - 1}:0] ${id}_${name} = 0;`),
    ...outputs.flatMap(({ name, width }) =>
      ["own", "other"].map((side) => `  wire [${width - 1}:0] ${id}_${side}_${name};`),
    ),
    `  own_${cell}${setting} ${id}_own (${wires("own")});`,
    `  ${cell}${setting} ${id}_other (${wires("other")});`,
    "  always @(negedge clk) begin",
    ...inputs.map(({ name }) => {
      const value = (drive[name] ?? "$").replaceAll("$", "{$random(seed), $random(seed)}");
      return `    ${id}_${name} = ${value};`;
    }),
    "  end",
  ];
  const checks = outputs.map(
    ({ name, width }) => `\
      for (i = 0; i < ${width}; i = i + 1)
        if (${id}_other_${name}[i] === 1'b0 || ${id}_other_${name}[i] === 1'b1) begin
          compared = compared + 1;
          if (${id}_own_${name}[i] !== ${id}_other_${name}[i]) wrong = wrong + 1;
        end
`,
  );
  return { text: `${declared.join("\n")}\n`, check: checks.join("") };
}

/**
 * Runs models of ours beside others of the same names, in Icarus Verilog: equal parameters, equal random inputs.
 *
 * @returns By cell, how many output bits the other model defined, and how many of them ours answers otherwise.
 */
export async function compareCells(
  models: string,
  trials: readonly CellTrial[],
  others: { readonly files: readonly string[]; readonly options: readonly string[] },
): Promise<Map<string, { readonly compared: number; readonly wrong: number }>> {
  const folder = await mkdtemp(join(tmpdir(), "bw-cells-"));
  try {
    const blocks = trials.map((trial) => {
      const modes = (trial.modes ?? [{}]).map((_, mode) => instance(models, trial, mode));
      return {
        text: modes.map(({ text }) => text).join(""),
        run: `\
    compared = 0;
    wrong = 0;
    repeat (${cycles}) begin
      @(posedge clk) #1;
${modes.map(({ check }) => check).join("")}\
      @(negedge clk) #1;
${modes.map(({ check }) => check).join("")}\
    end
    $display("%s %0d %0d", "${trial.cell}", compared, wrong);
`,
      };
    });
    const bench = `\
\`timescale 1ns/1ns
module bench;
  reg clk = 0;
  always #5 clk = !clk;
  integer seed = 20261121;
  integer i, compared, wrong;
${blocks.map(({ text }) => text).join("")}
  initial begin
${blocks.map(({ run: text }) => text).join("")}
    $finish;
  end
endmodule
`;
    await writeFile(join(folder, "own.v"), models.replaceAll(/^module (\w+)/gm, "module own_$1"));
    await writeFile(join(folder, "bench.v"), bench);
    const program = join(folder, "bench.vvp");
    const other = await Promise.all(others.files.map((file) => readFile(file, "utf8")));
    // Delays are of no interest here; neither they nor messages while elaborating are all read by Icarus.
    const readable = other
      .join("\n")
      .replaceAll(/^\s*specify\b[\s\S]*?\bendspecify\b/gm, "")
      .replaceAll(/^\s*\$error\(.*\);$/gm, "");
    await writeFile(join(folder, "others.v"), readable);
    const files = ["bench.v", "own.v", "others.v"].map((name) => join(folder, name));
    const options = ["-g2012", "-s", "bench", ...others.options, "-o", program];
    await run("iverilog", [...options, ...files], { maxBuffer: 2 ** 26 });
    const { stdout } = await run("vvp", ["-n", program], { maxBuffer: 2 ** 26 });
    const lines = stdout.split("\n").map((line) => line.trim().split(/\s+/));
    return new Map(
      lines.flatMap(([cell = "", compared, wrong]) =>
        wrong === undefined
          ? []
          : [[cell, { compared: Number(compared), wrong: Number(wrong) }] as const],
      ),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
