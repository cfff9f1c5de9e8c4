import { designMaps, type Graph, type LoweredMaps, lowerMaps, refuseUnrolled } from "@/compiler";
import type { ArtifactIo, ModelCard } from "@/lib/common/contract";
import { type Compiled, type CompileRequest, targetOf } from "./compiled";
import { fittingRows } from "./fitting-rows";
import { expectedResources, precisionNotes } from "./forecast-parts";
import { inputOf, scoresOf } from "./io";
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
  refuseUnrolled(options.architecture);
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
    board: targetOf(board),
    others,
    lanes: options.lanes ?? null,
  });
  const { estimate, taps, verilog, latencyCycles, lanes } = design;
  return {
    graph: integerGraph,
    verilog,
    taps,
    vectors: lowered.vectors,
    latencyCycles,
    io: mapsIoOf(lowered, card),
    forecast: {
      resources: expectedResources(estimate, board.part),
      latencyCycles,
      lanes,
      notes: [
        `One array of ${lanes} multipliers walks through all feature maps in turn.`,
        ...precisionNotes(precision, standardisation),
      ],
    },
  };
}

/** The tensors at the edge of the core, under the model's own names, with the arithmetic that the host does. */
export function mapsIoOf(
  { model, standardisation, integerGraph }: LoweredMaps,
  card: ModelCard | null,
): ArtifactIo {
  const { input, output: spec, activation } = model;
  const output = scoresOf({ spec, activation }, integerGraph, card);
  return {
    inputs: [inputOf(input, standardisation, integerGraph)],
    outputs: [{ ...output, shape: [-1, ...spec.shape.slice(1)] }],
  };
}
