import { type DenseFloats, denseFloats } from "@/compiler";
import type { ArtifactIo, Report } from "@/lib/common/contract";
import { corePortOf } from "@/lib/common/core-io";
import { fail, fromErrorData } from "@/lib/common/errors";
import type { Plan, PlanRequest } from "../engine";
import { expectationOf } from "../fpga/expectation-of";
import { expectedResources } from "../fpga/expected-resources";
import { labelled } from "../fpga/labelled";
import { planFirmware } from "../fpga/plan-firmware";
import { machineGraph } from "../reference/machine-graph";
import { type NumberType, type NumberTypeId, numberTypeOf } from "../reference/number-type";
import { chooseType, type TypeTrial, trialOf } from "./choose-type";
import { accepts, supports } from "./constraints";
import { drawnMachine } from "./drawn-machine";
import { estimateMachine, type MachineEstimate, machineClockShare } from "./estimate";
import { formOf, processorsIn } from "./form-of";
import { makingOf } from "./making";
import { asPrinted } from "./neuralbond/network";
import { type Options, parseOptions } from "./options";
import { type MachineForm, partsOf } from "./parts";
import { type NamedLayer, pruned } from "./prune";
import { refuseTooLarge } from "./refuse-too-large";
import { sizesOf } from "./sizes";
import { withoutSoftmax, withSoftmax } from "./softmax-choice";
import { checkSoftmaxOptions } from "./softmax-options";
import { softmaxType } from "./softmax-reach";
import { softmaxInWords } from "./softmax-text";
import { type SoftmaxTrial, softmaxTrial } from "./softmax-trial";
import { emitWrapper } from "./templates/wrapper";
import { machineVectors } from "./vectors";

/**
 * Plans firmware around a BondMachine: the network as assembly, the tools that make Verilog of it, and shell, top and proof
 * as for every FPGA board.
 *
 * @throws {AppError} `MODEL_UNSUPPORTED`, `OPERATOR_UNSUPPORTED`, `MODEL_TOO_LARGE`, `COMBINATION_UNSUPPORTED`, `OPTION_INVALID`
 */
export function plan(request: PlanRequest): Plan {
  const { model, board, boardKind, card } = request;
  const options = parseOptions(request.options);
  checkSoftmaxOptions(options);
  for (const verdict of [accepts(model), supports(board, boardKind)]) {
    if (!verdict.ok) throw fromErrorData(verdict.problem);
  }
  const machine = machineOf(request, options);
  const { type, layers, floats } = machine;
  const form = formOf(options);
  const sizes = sizesOf(layers, form);
  refuseTooLarge(sizes, type.id, { board, options: request.options });
  const estimate = estimateMachine(sizes, type.id, board);
  const shape = { inputs: sizes.inputs, outputs: sizes.outputs, width: type.width };
  const wrapper = emitWrapper({ ...shape, patienceCycles: 2 * estimate.mostCycles });
  const graph = machineGraph(layers, type.id, floats.names);
  const softmax = softmaxTrial(graph, floats);
  return planFirmware(
    {
      engine: "bondmachine",
      reference: graph,
      verilog: null,
      making: makingOf(layers, { type, form, wrapper }),
      core: { ...corePortOf(graph, estimate.mostCycles), latencyVaries: true },
      ownMultipliers: estimate.multipliesInCells,
      clockShare: machineClockShare,
      taps: [],
      sections: [{ id: "machine", name: "Processors and links", cells: "^machine\\." }],
      vectors: machineVectors(graph, floats.rows),
      io: labelled(ioOf(floats, { type, softmax }), sizes.outputs, card),
      forecast: forecastOf(machine, { estimate, form, softmax }, request),
      expected: (clockHz) =>
        expectationOf(estimate, { family: board.part.family, architecture: "machine", clockHz }),
    },
    request,
    { simulate: options.simulate, clockHz: options.clockHz, placements: 1 },
  );
}

interface Machine {
  readonly type: NumberType;
  readonly layers: readonly NamedLayer[];
  readonly floats: DenseFloats;
  readonly trials: readonly TypeTrial[];
  /** Connections that were left out. */
  readonly leftOut: number;
}

/** The model's layers in the type that was asked for, or in the cheapest that keeps its answers. */
function machineOf(request: PlanRequest, options: Options): Machine {
  const read = (type: NumberTypeId) => readLayers(request, type, options);
  const candidates = candidatesOf(options, read("fps32f16").layers);
  const { chosen, trials } = chooseType(candidates, (type) => {
    const { floats, layers } = read(type);
    return trialOf(type, floats, layers);
  });
  const { floats, layers } = read(chosen);
  const leftOut = layers
    .flatMap(({ weights }) => weights)
    .filter((weight) => weight === null).length;
  return { type: numberTypeOf(chosen), layers, floats, trials, leftOut };
}

/** Fixed point reads inputs that the host standardised, which use its range best; floats read them as they are. */
function readLayers(
  { model, card, calibration }: PlanRequest,
  type: NumberTypeId,
  { prune, flow, ...softmax }: Options,
): Pick<Machine, "floats" | "layers"> {
  if (!model.graph) throw new RangeError("An accepted model has a graph.");
  const { inputRange = null, rangeFrom } = card ?? {};
  const asked = { graph: model.graph, inputRange, calibration, ...(rangeFrom && { rangeFrom }) };
  const floats = denseFloats(asked, numberTypeOf(type).float === null);
  const left = floats.layers.map((layer) => pruned(layer, prune));
  const layers = flow === "neuralbond" ? left.map(printed) : left;
  return { floats, layers: withSoftmax(layers, floats, softmax) };
}

/** neuralbond prints numbers with six decimals: the machine's constants, and so the reference's, are those. */
const printed = (layer: NamedLayer): NamedLayer => ({
  ...layer,
  weights: layer.weights.map((weight) => (weight === null ? null : asPrinted(weight))),
  bias: layer.bias.map(asPrinted),
});

/**
 * The types in question, the cheapest first. The neuron library's ReLU looks at the sign bit of registers of 32 bits, and its
 * softmax is known in one type alone.
 *
 * @throws {AppError} `OPTION_INVALID`
 */
function candidatesOf(
  { dataType, flow, softmax }: Options,
  layers: readonly NamedLayer[],
): readonly NumberTypeId[] {
  if (softmax === "hardware") return [softmaxType];
  const needs32 = flow === "neuralbond" && layers.some(({ relu }) => relu);
  if (dataType === "auto") {
    return needs32 ? ["fps32f16", "float32"] : ["fps16f8", "fps32f16", "float32"];
  }
  if (needs32 && numberTypeOf(dataType).width < 32) {
    throw fail("OPTION_INVALID", `neuralbond's ReLU needs numbers of 32 bits, not ${dataType}.`, {
      field: "options.dataType",
      hint: "Choose fps32f16 or float32, or flow direct, whose ReLU takes any.",
    });
  }
  return [dataType];
}

const formInWords = {
  direct: "one for each neuron",
  fused: "one for each neuron, input and output, written by neuralbond",
  split: "one for each weight, neuron, input and output, written by neuralbond",
} as const satisfies Record<MachineForm, string>;

function ioOf(
  { io }: DenseFloats,
  { type, softmax }: { readonly type: NumberType; readonly softmax: SoftmaxTrial | null },
): ArtifactIo {
  const { width, fraction, float } = type;
  const fixed = softmax ? withoutSoftmax(io({ width, fraction })) : io({ width, fraction });
  if (float === null) return fixed;
  return {
    inputs: fixed.inputs.map(({ fixedPoint: _, standardise: __, ...input }) => ({
      ...input,
      float,
    })),
    outputs: fixed.outputs.map(({ fixedPoint: _, ...output }) => ({ ...output, float })),
  };
}

function forecastOf(
  { type, layers, floats, trials, leftOut }: Machine,
  {
    estimate,
    form,
    softmax,
  }: {
    readonly estimate: MachineEstimate;
    readonly form: MachineForm;
    readonly softmax: SoftmaxTrial | null;
  },
  { board }: PlanRequest,
): Report {
  const parts = partsOf(layers, form);
  const processors = processorsIn(sizesOf(layers, form));
  const isFixed = type.float === null;
  return {
    ...(floats.calibration && isFixed ? { calibration: floats.calibration } : {}),
    resources: expectedResources(estimate, board.part),
    latencyCycles: estimate.latencyCycles,
    machine: drawnMachine(parts, { type: type.id, inputs: layers[0]?.inputSize ?? 0 }),
    notes: [
      `A machine of ${processors} connecting processors, ${formInWords[form]}, computes in ${type.id}.`,
      ...trials.map(trialInWords),
      ...(softmax ? [softmaxInWords(softmax)] : []),
      ...(leftOut === 0 ? [] : [`${leftOut} connections are left out: their weights are small.`]),
      ...(estimate.multipliesInCells ? ["Products are made of logic cells."] : []),
    ],
  };
}

function trialInWords({ type, rows, overflows, agreement }: TypeTrial): string {
  const share = `${(agreement * 100).toFixed(1)} %`;
  const over =
    overflows === 0
      ? "none runs over"
      : `${overflows} run over and wrap around, so wrong answers are likely`;
  return `${type}: of ${rows} rows ${over}; ${share} are answered as the float model does.`;
}
