import { designMaps, type Graph, type LoweredMaps, lowerMaps } from "@/compiler";
import type { ArtifactIo, ModelCard } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import type { Compiled, CompileRequest } from "./compiled";
import { fittingRows } from "./fitting-rows";
import { precisionOf } from "./options";

/**
 * The core of a model of feature maps, with what the host does at its edges.
 *
 * @throws {AppError} `MODEL_TOO_LARGE`, `OPTION_INVALID`, and what `lowerMaps` refuses.
 */
export function compileMaps(
  graph: Graph,
  { request: { board, card, calibration }, options, others }: CompileRequest,
): Compiled {
  if (options.architecture === "unrolled") {
    throw fail("OPTION_INVALID", "Convolutions are not unrolled: they share one array.", {
      field: "options.architecture",
      hint: "Leave the architecture to the compiler.",
    });
  }
  const precision = precisionOf(options);
  const lowered = lowerMaps({
    graph,
    inputRange: card?.inputRange ?? null,
    calibration: calibration && fittingRows(calibration, graph.inputs[0]?.shape ?? []),
    precision,
  });
  const { integerGraph, standardisation } = lowered;
  const design = designMaps({
    graph: integerGraph,
    board: { name: board.name, part: board.part.resources },
    others,
    lanes: options.lanes ?? null,
  });
  const { lut, bramBlocks, dsp } = board.part.resources;
  const { estimate, taps, verilog, latencyCycles, lanes } = design;
  return {
    graph: integerGraph,
    verilog,
    taps,
    signals: [...new Set(taps.map(({ signal }) => signal))],
    vectors: lowered.vectors(),
    latencyCycles,
    io: ioOf(lowered, card),
    forecast: {
      resources: [
        { id: "lut", name: "Logic cells", used: estimate.lut, available: lut },
        { id: "bram", name: "Block RAM", used: estimate.bramBlocks, available: bramBlocks },
        ...(dsp > 0
          ? [{ id: "dsp", name: "Multipliers", used: estimate.dsp, available: dsp }]
          : []),
      ],
      latencyCycles,
      lanes,
      notes: [
        `One array of ${lanes} multipliers walks through all feature maps in turn.`,
        `Inputs have ${precision.inputBits} bits, weights ${precision.weightBits.join(", ")}, hidden values ${precision.activationBits}.`,
        `Inputs are scaled by ${standardisation.rangeSource}.`,
        standardisation.synthetic
          ? "Ranges come from synthetic input: give rows of your own to calibrate with for better accuracy."
          : `Ranges come from the rows of ${standardisation.rowsSource}.`,
      ],
    },
  };
}

/** The tensors at the edge of the core, under the model's own names, with the arithmetic that the host does. */
function ioOf(
  { model, standardisation, integerGraph }: LoweredMaps,
  card: ModelCard | null,
): ArtifactIo {
  const { input, output, activation } = model;
  const { mean, deviation } = standardisation;
  const { size, width, fraction } = integerGraph.output;
  const isIndex = activation === "argmax";
  const labels = card?.classes;
  return {
    inputs: [
      {
        name: input.name,
        datatype: input.datatype,
        shape: [-1, ...input.shape.slice(1)],
        size: integerGraph.input.size,
        fixedPoint: {
          width: integerGraph.input.width,
          fraction: integerGraph.input.fraction,
          signed: true,
        },
        standardise: { mean: [...mean], deviation: [...deviation] },
      },
    ],
    outputs: [
      {
        name: output.name,
        datatype: isIndex ? "INT64" : output.datatype,
        shape: [-1, ...output.shape.slice(1)],
        size: isIndex ? 1 : size,
        fixedPoint: { width, fraction, signed: true },
        activation,
        ...(labels && labels.length === size ? { labels: [...labels] } : {}),
      },
    ],
  };
}
