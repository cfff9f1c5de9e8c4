import { compileNetlist } from "@/simulator/compile";
import { loadSimulation } from "@/simulator/run";
import { netlistOf, runIcarus } from "./tools";

export interface Port {
  readonly name: string;
  readonly width: number;
}

/** One module, in the form Yosys reads and in the form Icarus judges. */
export interface Candidate {
  readonly name: string;
  readonly inputs: readonly Port[];
  readonly outputs: readonly Port[];
  /** Body of the Verilog module Icarus runs; ports and `clk` are declared by the bench. */
  readonly verilog: string;
  /** Body of an RTLIL module for Yosys, where Verilog cannot say the cell; its wires are declared by the bench. */
  readonly rtlil?: string;
  /** Initial values of outputs in RTLIL, as its constants. */
  readonly initial?: Readonly<Record<string, string>>;
  /** Extra words after `output` in the Verilog header, such as `reg signed`. */
  readonly outputKind?: string;
  /** Input names declared signed in Verilog. */
  readonly signed?: readonly string[];
  /** Cell type that must be in the netlist. */
  readonly cell: string;
  /** One value per input and vector. */
  readonly vectors: readonly (readonly bigint[])[];
}

export interface Verdict {
  readonly compared: number;
  readonly masked: number;
  readonly failures: readonly string[];
  /** Candidates whose netlist lacks the cell they are about. */
  readonly missing: readonly string[];
  readonly netlist: unknown;
}

/**
 * Runs every candidate in our simulator and in Icarus with the same vectors: inputs, settle, compare, clock edge.
 * Bits that Icarus calls x are masked and counted. All candidates of a call have as many vectors.
 *
 * @param commands What Yosys does with Verilog; without optimisation by default, so that cells stay as written.
 */
export async function judge(
  candidates: readonly Candidate[],
  commands = "proc -noopt; memory_collect; opt_clean",
): Promise<Verdict> {
  const [expected, netlist] = await Promise.all([
    simulateInIcarus(candidates),
    readNetlist(candidates, commands),
  ]);
  const failures: string[] = [];
  const missing: string[] = [];
  let compared = 0;
  let masked = 0;
  candidates.forEach((candidate, index) => {
    if (!cellTypes(netlist, candidate.name).includes(candidate.cell)) missing.push(candidate.name);
    const { wasm } = compileNetlist(netlist, { top: candidate.name });
    const simulation = loadSimulation(wasm);
    candidate.vectors.forEach((vector, at) => {
      candidate.inputs.forEach(({ name }, input) => {
        simulation.set(name, vector[input] ?? 0n);
      });
      // All inputs 0 may mean an active reset: what it did before the first vector is undone.
      if (at === 0) simulation.reset();
      else simulation.eval();
      candidate.outputs.forEach(({ name, width }, output) => {
        const text = expected[at]?.[index]?.[output] ?? "";
        const { value, known } = readBits(text, width);
        const actual = simulation.getBig(name);
        compared += width;
        masked += width - countOnes(known);
        if ((actual & known) === value) return;
        const inputs = candidate.inputs.map(
          (port, input) => `${port.name}[${port.width}]=${vector[input]}`,
        );
        failures.push(
          `${candidate.name} vector ${at}: ${name}[${width}] is ${actual.toString(2)}, Icarus says ${text}; ${inputs.join(" ")}; ${candidate.verilog}`,
        );
      });
      if (simulation.interface.clock) simulation.step();
    });
  });
  return { compared, masked, failures, missing, netlist };
}

async function readNetlist(candidates: readonly Candidate[], commands: string): Promise<unknown> {
  const sources: Record<string, string> = {};
  const rtlil = candidates.filter((candidate) => candidate.rtlil !== undefined).map(toRtlil);
  const verilog = candidates.filter((candidate) => candidate.rtlil === undefined).map(toVerilog);
  if (rtlil.length > 0) sources["cells.il"] = `${rtlil.join("\n")}\n`;
  if (verilog.length > 0) sources["cells.v"] = verilog.join("\n");
  return netlistOf(sources, verilog.length > 0 ? commands : "");
}

/** Values that one parameter has among all cells of a type, over all modules. */
export function parametersOf(netlist: unknown, type: string, parameter: string): string[] {
  const { modules } = netlist as {
    modules: Record<
      string,
      { cells: Record<string, { type: string; parameters: Record<string, string> }> }
    >;
  };
  return Object.values(modules)
    .flatMap((module) => Object.values(module.cells))
    .filter((cell) => cell.type === type)
    .map((cell) => cell.parameters[parameter] ?? "");
}

/** Types of the cells in one module of a netlist. */
export function cellTypes(netlist: unknown, module: string): string[] {
  const { modules } = netlist as {
    modules: Record<string, { cells: Record<string, { type: string }> }>;
  };
  return Object.values(modules[module]?.cells ?? {}).map((cell) => cell.type);
}

function toVerilog(candidate: Candidate): string {
  const { name, inputs, outputs, outputKind = "", signed = [], verilog } = candidate;
  const ports = [
    "input clk",
    ...inputs.map(
      (port) =>
        `input ${signed.includes(port.name) ? "signed " : ""}[${port.width - 1}:0] ${port.name}`,
    ),
    ...outputs.map((port) => `output ${outputKind} [${port.width - 1}:0] ${port.name}`),
  ];
  return `module ${name}(${ports.join(", ")});\n${verilog}\nendmodule`;
}

function toRtlil({ name, inputs, outputs, rtlil = "", initial = {} }: Candidate): string {
  const lines = [`module \\${name}`, "  wire input 1 \\clk"];
  inputs.forEach((port, index) => {
    lines.push(`  wire width ${port.width} input ${index + 2} \\${port.name}`);
  });
  outputs.forEach((port, index) => {
    if (initial[port.name]) lines.push(`  attribute \\init ${initial[port.name]}`);
    lines.push(`  wire width ${port.width} output ${inputs.length + index + 2} \\${port.name}`);
  });
  return [...lines, rtlil, "end"].join("\n");
}

/** What each output was, as text in base 2, by vector, candidate and output. */
async function simulateInIcarus(candidates: readonly Candidate[]): Promise<string[][][]> {
  const vectors = candidates[0]?.vectors.length ?? 0;
  const widthOf = (ports: readonly Port[]): number =>
    ports.reduce((sum, port) => sum + port.width, 0);
  const wordBits = Math.max(...candidates.map((candidate) => widthOf(candidate.inputs)));
  const image: string[] = [];
  const bench = [
    "module bench;",
    `reg [${wordBits - 1}:0] stimulus [0:${vectors * candidates.length - 1}];`,
    "reg clk = 0; integer v;",
  ];
  const displays: string[] = [];
  candidates.forEach((candidate, index) => {
    const { name, inputs, outputs } = candidate;
    bench.push(`reg [${widthOf(inputs) - 1}:0] i${index} = 0;`);
    bench.push(`wire [${widthOf(outputs) - 1}:0] o${index};`);
    const places = [...slices(inputs, `i${index}`), ...slices(outputs, `o${index}`)];
    bench.push(`${name} u${index}(.clk(clk), ${places.join(", ")});`);
    displays.push(`i${index} = stimulus[v * ${candidates.length} + ${index}];`);
  });
  bench.push('initial begin $readmemh("stimulus.hex", stimulus);');
  bench.push(`for (v = 0; v < ${vectors}; v = v + 1) begin`, ...displays, "#1;");
  candidates.forEach((_, index) => {
    bench.push(`$display("%b", o${index});`);
  });
  bench.push("#1 clk = 1; #1 clk = 0; end $finish; end", "endmodule");
  for (let vector = 0; vector < vectors; vector++) {
    for (const { inputs, vectors: own } of candidates) {
      let word = 0n;
      let shift = 0n;
      inputs.forEach((port, index) => {
        word |= (own[vector]?.[index] ?? 0n) << shift;
        shift += BigInt(port.width);
      });
      image.push(word.toString(16));
    }
  }
  const printed = await runIcarus({
    "bench.v": bench.join("\n"),
    "candidates.v": candidates.map(toVerilog).join("\n"),
    "stimulus.hex": image.join("\n"),
  });
  const lines = printed.trim().split("\n");
  return Array.from({ length: vectors }, (_, vector) =>
    candidates.map(({ outputs }, index) => {
      const text = lines[vector * candidates.length + index] ?? "";
      let end = text.length;
      return outputs.map((port) => {
        const own = text.slice(end - port.width, end);
        end -= port.width;
        return own;
      });
    }),
  );
}

function slices(ports: readonly Port[], bus: string): string[] {
  let low = 0;
  return ports.map(({ name, width }) => {
    const place = `.${name}(${bus}[${low + width - 1}:${low}])`;
    low += width;
    return place;
  });
}

/** Known bits of a text of 0, 1, x and z, and a mask of which are known. */
function readBits(text: string, width: number): { value: bigint; known: bigint } {
  if (text.length !== width) throw new Error(`Icarus printed "${text}" for ${width} bits`);
  return {
    value: BigInt(`0b${text.replaceAll(/[xz]/g, "0")}`),
    known: BigInt(`0b${text.replaceAll(/[01]/g, "1").replaceAll(/[xz]/g, "0")}`),
  };
}

function countOnes(value: bigint): number {
  return value.toString(2).replaceAll("0", "").length;
}
