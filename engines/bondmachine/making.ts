import type { DeriveStep, Plan, Step, ToolStep } from "../engine";
import type { MachineLayer } from "../reference/machine-layer";
import type { NumberType } from "../reference/number-type";
import { emitBasm } from "./emit-basm";
import { files } from "./files";
import type { ExpectedMachine } from "./gather";
import { configFile, networkFile } from "./neuralbond/network";
import { fragmentFiles, neurons } from "./neuralbond/neurons";
import { type MachineForm, type MachinePart, partsOf } from "./parts";
import type { NamedLayer } from "./prune";

/** The tools that make a machine's Verilog. */
export const machineTools = ["basm", "bondmachine"] as const;

/** The task of the step that judges what they leave. */
export const gatherTask = "gather-verilog";

/** The one that writes the assembly where that is asked of it. */
export const assemblyTool = "neuralbond";

const limitS = { write: 600, assemble: 600, list: 60, generate: 1800, gather: 120 } as const;
/** How either tool tells of a failure: the assembler ends with status 0 all the same, the generator with its own panic. */
const alert = "\\[Alert\\]|^panic: ";

/** Map files name the pins of a board's top; the core's own ports are called the same whatever they say. */
const maps = JSON.stringify({ Assoc: { clk: "clk", reset: "reset" } });

/** The files and steps from layers to `core.v`, as upstream's own build calls its tools. */
export function makingOf(
  layers: readonly NamedLayer[],
  {
    type,
    form,
    wrapper,
  }: { readonly type: NumberType; readonly form: MachineForm; readonly wrapper: string },
): { readonly files: Plan["files"]; readonly steps: readonly Step[] } {
  return {
    files: new Map([
      ...sourcesOf(layers, { type, form }),
      [files.maps, `${maps}\n`],
      [files.wrapper, wrapper],
    ]),
    steps: [
      ...(form === "direct" ? [] : [writeAssembly(type)]),
      assemble(form === "direct" ? [] : fragmentFiles),
      list("inputs", "-list-inputs", files.inputs),
      list("outputs", "-list-outputs", files.outputs),
      list("processors", "-enum-processors", files.processors),
      list("links", "-list-bonds", files.bonds),
      generate,
      gatherStep(expectedMachine(partsOf(layers, form), { layers, type })),
    ],
  };
}

/** The assembly by our own hand, or what neuralbond makes it of: the network, its configuration and the neurons. */
const sourcesOf = (
  layers: readonly MachineLayer[],
  { type, form }: { readonly type: NumberType; readonly form: MachineForm },
): readonly (readonly [string, string])[] =>
  form === "direct"
    ? [[files.assembly, emitBasm(layers, type)]]
    : [
        [files.network, networkFile(layers)],
        [files.configuration, configFile(layers, form)],
        ...neurons,
      ];

/** It ends with status 0 though it left a node out or wrote no file: what it made is judged with the machine. */
const writeAssembly = ({ id, width }: NumberType): ToolStep => ({
  kind: "tool",
  name: "neurons as assembly",
  stage: "synthesise",
  command: assemblyTool,
  args: [
    ...["-net-file", files.network],
    ...["-neuron-lib-path", "."],
    ...["-save-basm", files.assembly],
    ...["-config-file", files.configuration],
    ...["-operating-mode", "fragment"],
    ...["-io-mode", "sync"],
    ...["-data-type", id],
    ...["-register-size", String(width)],
  ],
  timeoutS: limitS.write,
  reads: [files.network, files.configuration, ...neurons.keys()],
  produces: [files.assembly],
  alert,
});

const assemble = (fragments: readonly string[]): ToolStep => ({
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
    ...fragments,
  ],
  timeoutS: limitS.assemble,
  reads: [files.assembly, ...fragments],
  produces: [files.machine, files.requirements],
  alert,
});

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
function expectedMachine(
  parts: readonly MachinePart[],
  {
    layers,
    type,
  }: { readonly layers: readonly MachineLayer[]; readonly type: Pick<NumberType, "width"> },
): ExpectedMachine {
  const outputs = layers.at(-1)?.outputSize ?? 0;
  const processors = parts.flatMap((part) => part.processors);
  return {
    inputs: layers[0]?.inputSize ?? 0,
    outputs,
    processors: processors.length,
    links: processors.reduce((sum, { from }) => sum + from.length, outputs),
    registerSize: type.width,
  };
}
