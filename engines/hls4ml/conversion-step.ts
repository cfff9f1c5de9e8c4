import { emulation, harness, harnessPath, emulationPaths as paths } from "../emulation";
import type { ParsedModel, Plan, ToolStep } from "../engine";
import { convertScript, scriptPath } from "./convert-script";
import { conversionOptions, type Options } from "./options";

/** The command that runs a script where hls4ml is installed, and the compiler that the script calls. */
export const converter = "hls4ml";
export const compiler = "g++";

const limitS = 3600;

/** Formats that it reads, and what their files must be called for Keras to know them. */
const modelNames: Readonly<Record<string, string>> = {
  keras: "model.keras",
  "keras-h5": "model.h5",
  onnx: "model.onnx",
};
export const formats = Object.keys(modelNames);

interface Target {
  /** As the vendor calls the part. */
  readonly part: string;
  /** Nanoseconds. */
  readonly clock_period: number;
}

/**
 * What turns a model into hls4ml's project and a program that answers as its firmware does, in one step in the sandbox.
 *
 * @param io Tensors of the model: the script holds hls4ml's against their sizes.
 * @param target What the project is for; null: nothing in particular.
 */
export function planConversion(
  { format, bytes }: ParsedModel,
  options: Options,
  { io, target }: { readonly io: Plan["io"]; readonly target: Target | null },
): Pick<Plan, "files" | "steps" | "emulation"> {
  const model = modelNames[format];
  if (model === undefined) throw new RangeError("An accepted model has a format that is read.");
  const sizes = (tensors: readonly { readonly size: number }[]) => tensors.map(({ size }) => size);
  const task = {
    ...paths,
    model,
    format,
    harness: harnessPath,
    inputs: sizes(io.inputs),
    outputs: sizes(io.outputs),
    target: target ?? {},
    options: conversionOptions(options),
  };
  const files = new Map<string, string | Uint8Array>([
    [scriptPath, convertScript],
    [harnessPath, harness],
    [paths.task, JSON.stringify(task, null, 1)],
    [model, bytes],
  ]);
  const step: ToolStep = {
    kind: "tool",
    name: "conversion by hls4ml",
    stage: "synthesise",
    command: converter,
    args: [scriptPath, paths.task],
    timeoutS: limitS,
    reads: [...files.keys(), paths.rows],
    produces: [paths.program, paths.answers, paths.original, paths.project],
    explains: paths.problem,
  };
  return { files, steps: [step], emulation };
}
