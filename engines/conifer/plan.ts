import { exportOnnx, runnableOnnx } from "@/compiler";
import { fromErrorData } from "@/lib/common/errors";
import { ioOf, maxBatchSizeOf } from "../cpu-io";
import { emulation, emulationPaths, harness, harnessPath } from "../emulation";
import type { Plan, PlanRequest } from "../engine";
import { sealPlan } from "../seal-plan";
import { accepts, supports } from "./constraints";
import { convertScript, scriptPath } from "./convert-script";
import { readConiferModel } from "./ensemble";
import { numberTypesOf } from "./number-types";
import { parseOptions } from "./options";

/** The command that runs a script where conifer is installed, and the compiler that the script calls. */
export const converter = "conifer";
export const compiler = "g++";
/** The tool that makes a bitstream of the project, which no set-up of ours brings. */
export const vendorTool = "Vitis HLS";

const paths = { ...emulationPaths, model: "model.onnx" } as const;
const limitS = 3600;
/** Where nothing is built for a part: conifer wants one. */
const somePart = "xcvu9p-flgb2104-2L-e";

/** @throws {AppError} why the model or the board is not taken; `OPTION_INVALID` */
export function plan(request: PlanRequest): Plan {
  const { model, card, board, boardKind } = request;
  for (const verdict of [accepts(model), supports(board, boardKind)]) {
    if (!verdict.ok) throw fromErrorData(verdict.problem);
  }
  const { graph } = model;
  if (!graph) throw new RangeError("An accepted model has a graph.");
  const options = parseOptions(request.options);
  const { ensemble, first, outputs } = readConiferModel(graph);
  const real = graph.outputs.filter(({ name }) => outputs.some((output) => output.name === name));
  const io = ioOf({ inputs: graph.inputs, outputs: real }, card);
  const types = numberTypesOf(ensemble, options);
  const { flow } = board.part;
  const part = flow.kind === "vivado" ? flow.device : null;
  const task = {
    ...paths,
    harness: harnessPath,
    inputs: io.inputs.map(({ size }) => size),
    outputs: outputs.map((output, at) => ({ ...output, size: io.outputs[at]?.size ?? 0 })),
    ensemble,
    first,
    types,
    saturates: options.overflow === "saturate",
    configuration: {
      xilinx_part: part ?? somePart,
      clock_period: options.clockNs,
      unroll: options.unroll,
    },
  };
  const files = new Map<string, string | Uint8Array>([
    [scriptPath, convertScript],
    [harnessPath, harness],
    [paths.task, JSON.stringify(task)],
    [paths.model, model.format === "onnx" ? runnableOnnx(model.bytes, graph) : exportOnnx(graph)],
  ]);
  const { feature, score } = types;
  const numbers = `Features and thresholds are ap_fixed<${feature.width},${feature.integerBits}>, scores ap_fixed<${score.width},${score.integerBits}>.`;
  return sealPlan(
    {
      schemaVersion: 1,
      engine: "conifer",
      boardModel: board.id,
      kind: "model",
      platform: "boardwalk_conifer",
      io,
      maxBatchSize: maxBatchSizeOf({ inputs: graph.inputs, outputs: real }),
      core: undefined,
      files,
      steps: [
        {
          kind: "tool",
          name: "conversion by conifer",
          stage: "synthesise",
          command: converter,
          args: [scriptPath, paths.task],
          timeoutS: limitS,
          reads: [...files.keys(), paths.rows],
          produces: [paths.program, paths.answers, paths.original, paths.project],
          explains: paths.problem,
        },
      ],
      emulation,
      products: [
        { role: "emulation", path: paths.program },
        { role: "project", path: paths.project },
      ],
      forecast: {
        resources: [],
        ...(part === null ? {} : { bitstreamNeeds: vendorTool }),
        notes: [
          numbers,
          part === null
            ? "conifer's C++ is compiled for the processor, with its fixed-point numbers: it answers what the firmware would."
            : `The project is for ${part} at ${1000 / options.clockNs} MHz. A simulated board runs its emulation, compiled C++ with the same fixed-point numbers.`,
          ...(io.outputs.some((_, at) => outputs[at]?.activation !== "none")
            ? ["The firmware ends in scores; what the model makes of them is computed by the host."]
            : []),
        ],
      },
      synthesis: [],
      variants: [],
      reference: null,
      taps: [],
      vectors: [],
    },
    request,
  );
}
