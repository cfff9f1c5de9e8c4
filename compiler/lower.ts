import type { DenseLayer, DenseNetwork } from "./dense-network";
import type { Graph } from "./graph";
import type { IntegerGraph } from "./integer-graph";
import { foldBefore } from "./passes/fold-steps";
import { legalise } from "./passes/legalise";
import { quantizeNetwork, quantizeRow } from "./passes/quantize-network";
import {
  type CalibrationRows,
  type InputRange,
  type Standardisation,
  standardise,
} from "./passes/standardise";
import { verificationVectors } from "./passes/vectors";
import { inputFormatOf, type Precision, precisions } from "./precision";
import { type InputQuantizer, lowerQuantized } from "./quantized/lower-quantized";
import { hasQuantizers } from "./quantized/quantizer";

export interface LowerRequest {
  readonly graph: Graph;
  readonly inputRange: InputRange | null;
  readonly calibration: CalibrationRows | null;
  /** Left out: 8 bits of everything. */
  readonly precision?: Precision;
}

/** A float model as integers, with what host and verification need beside it. */
export interface Lowered {
  readonly network: Pick<DenseNetwork, "input" | "outputs">;
  readonly standardisation: Standardisation;
  readonly integerGraph: IntegerGraph;
  /** The rows that every level must answer alike. */
  readonly vectors: () => readonly Int8Array[];
  /** How a quantised model itself puts its inputs onto a grid; null where the grid was chosen here. */
  readonly inputQuantizer: InputQuantizer | null;
}

/**
 * Brings a float graph down to the integer graph that hardware runs. A quantised one keeps its own bits and scales.
 *
 * @throws {AppError} `OPERATOR_UNSUPPORTED` and the other reasons of `legalise`, `CARD_INVALID`.
 */
export function lower({
  graph,
  inputRange,
  calibration,
  precision = precisions["exact-ish"],
}: LowerRequest): Lowered {
  if (hasQuantizers(graph)) return takenAtItsWord(graph);
  const network = legalise(graph);
  const { layers, standardisation } = standardiseNetwork(network, inputRange, calibration);
  const { rows, synthetic } = standardisation;
  const integerGraph = quantizeNetwork({
    layers,
    rows,
    synthetic,
    inputName: network.input.name,
    outputName: scoresNameOf(network),
    precision,
  });
  const format = inputFormatOf(precision);
  const own = () => (synthetic ? [] : rows.map((row) => quantizeRow(row, format)));
  return {
    network,
    standardisation,
    integerGraph,
    vectors: () => verificationVectors(integerGraph, own()),
    inputQuantizer: null,
  };
}

/**
 * A network over standardised inputs: what the host does not undo becomes part of the first layer.
 *
 * @throws {AppError} `CARD_INVALID`
 */
export function standardiseNetwork(
  { layers: [first, ...rest], scaling }: DenseNetwork,
  inputRange: InputRange | null,
  calibration: CalibrationRows | null,
): { readonly layers: readonly DenseLayer[]; readonly standardisation: Standardisation } {
  if (!first) throw new RangeError("A legal network has a layer.");
  const standardisation = standardise(first.inputSize, inputRange, calibration, scaling);
  const { mean, deviation } = standardisation;
  const scale = { factor: Float64Array.from(deviation), offset: Float64Array.from(mean) };
  return { layers: [foldBefore(scale, first), ...rest], standardisation };
}

function takenAtItsWord(graph: Graph): Lowered {
  const { input: inputQuantizer, outputs, integerGraph, vectors } = lowerQuantized(graph);
  const { size } = integerGraph.input;
  const [input] = graph.inputs;
  if (!input) throw new RangeError("A graph that was lowered has an input.");
  const own = "the model's own scales";
  return {
    network: { input, outputs },
    standardisation: {
      mean: Array<number>(size).fill(inputQuantizer.offset * inputQuantizer.scale),
      deviation: Array<number>(size).fill(1),
      rows: [],
      rangeSource: own,
      rowsSource: own,
      synthetic: false,
    },
    integerGraph,
    vectors,
    inputQuantizer,
  };
}

/** The scores are called like the first output that is made of all of them. */
function scoresNameOf({ outputs }: DenseNetwork): string {
  const scores = outputs.find(({ activation }) => activation !== "argmax") ?? outputs[0];
  return scores.spec.name;
}
