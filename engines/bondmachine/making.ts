import type { DeriveStep, Plan, Step, ToolStep } from "../engine";
import { connectionsOf, type MachineLayer } from "../reference/machine-layer";
import type { NumberType } from "../reference/number-type";
import { emitBasm } from "./emit-basm";
import { files } from "./files";
import type { ExpectedMachine } from "./gather";

/** The tools that make a machine's Verilog. */
export const machineTools = ["basm", "bondmachine"] as const;

/** The task of the step that judges what they leave. */
export const gatherTask = "gather-verilog";

const limitS = { assemble: 600, list: 60, generate: 1800, gather: 120 } as const;
/** How either tool tells of a failure: the assembler ends with status 0 all the same, the generator with its own panic. */
const alert = "\\[Alert\\]|^panic: ";

/** Map files name the pins of a board's top; the core's own ports are called the same whatever they say. */
const maps = JSON.stringify({ Assoc: { clk: "clk", reset: "reset" } });

/** The files and steps from layers to `core.v`, as upstream's own build calls its tools. */
export function makingOf(
  layers: readonly MachineLayer[],
  { type, wrapper }: { readonly type: NumberType; readonly wrapper: string },
): { readonly files: Plan["files"]; readonly steps: readonly Step[] } {
  return {
    files: new Map([
      [files.assembly, emitBasm(layers, type)],
      [files.maps, `${maps}\n`],
      [files.wrapper, wrapper],
    ]),
    steps: [
      assemble,
      list("inputs", "-list-inputs", files.inputs),
      list("outputs", "-list-outputs", files.outputs),
      list("processors", "-enum-processors", files.processors),
      list("links", "-list-bonds", files.bonds),
      generate,
      gatherStep(expectedMachine(layers, type)),
    ],
  };
}

const assemble: ToolStep = {
  kind: "tool",
  name: "assembly",
  stage: "synthesise",
  command: "basm",
  args: [
    "-disable-dynamical-matching",
    "-chooser-min-word-size",
    "-chooser-force-same-name",
    "-dump-requirements",
    files.requirements,
    "-o",
    files.machine,
    files.assembly,
  ],
  timeoutS: limitS.assemble,
  reads: [files.assembly],
  produces: [files.machine, files.requirements],
  alert,
};

const list = (what: string, flag: string, stdout: string): ToolStep => ({
  kind: "tool",
  name: `list of ${what}`,
  stage: "synthesise",
  command: "bondmachine",
  args: ["-bondmachine-file", files.machine, flag],
  timeoutS: limitS.list,
  reads: [files.machine],
  produces: [stdout],
  stdout,
  alert,
});

const generate: ToolStep = {
  kind: "tool",
  name: "generation of Verilog",
  stage: "synthesise",
  command: "bondmachine",
  args: [
    ...["-bondmachine-file", `../${files.machine}`],
    "-create-verilog",
    ...["-verilog-flavor", "zedboard"],
    ...["-verilog-mapfile", `../${files.maps}`],
    ...["-bmrequirements-file", `../${files.requirements}`],
    ...["-hw-optimizations", "onlydestregs,onlysrcregs"],
  ],
  timeoutS: limitS.generate,
  reads: [files.machine, files.maps, files.requirements],
  produces: [],
  folder: files.verilog,
  alert,
};

const gatherStep = (given: ExpectedMachine): DeriveStep => ({
  kind: "derive",
  name: "check of the machine",
  stage: "synthesise",
  task: gatherTask,
  given,
  timeoutS: limitS.gather,
  reads: [files.machine, files.inputs, files.outputs, files.processors, files.wrapper],
  folder: files.verilog,
  produces: [files.core],
});

/** What the tools must make of the layers. */
export function expectedMachine(
  layers: readonly MachineLayer[],
  { width }: Pick<NumberType, "width">,
): ExpectedMachine {
  const outputs = layers.at(-1)?.outputSize ?? 0;
  const fanIn = layers.flatMap((layer) =>
    layer.bias.map((_, at) => connectionsOf(layer, at).length),
  );
  return {
    inputs: layers[0]?.inputSize ?? 0,
    outputs,
    processors: fanIn.length,
    links: fanIn.reduce((sum, count) => sum + count, outputs),
    registerSize: width,
  };
}
