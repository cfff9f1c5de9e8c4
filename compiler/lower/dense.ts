import type { ArtifactIo, Calibration } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import type { DenseLayer, DenseNetwork } from "../model/dense-network";
import { fittingRows } from "../passes/fitting-rows";
import { calibrationOf, precisionNotes } from "../passes/how-numbers-were-chosen";
import { inputFormatOf, type Precision, precisions } from "../passes/precision";
import { quantizeNetwork, quantizeRow } from "../passes/quantize-network";
import {
  type CalibrationRows,
  type InputRange,
  type RangeFrom,
  type Standardisation,
  standardise,
} from "../passes/standardise";
import { verificationVectors } from "../passes/vectors";
import { denseNetwork } from "../reader";
import { foldBefore } from "../reader/fold-steps";
import { gridInputs, rowNameOf, scoreOutput } from "./edges";
import type { Lowered, LowerRequest } from "./lowered";

export interface LoweredDense extends Lowered {
  readonly network: DenseNetwork;
  readonly standardisation: Standardisation;
}

/** Made-up rows that are looked at however much that takes. */
const fewestRows = 8;

/**
 * Brings a graph of dense layers down to the integer graph that hardware runs.
 *
 * @throws {AppError} `OPERATOR_UNSUPPORTED` and the other reasons of `readModel`, `CARD_INVALID`, `OPTION_INVALID`.
 */
export function lowerDense({
  graph,
  inputRange,
  rangeFrom,
  calibration,
  precision = precisions["exact-ish"],
  mostProducts = Number.POSITIVE_INFINITY,
}: LowerRequest): LoweredDense {
  const network = denseNetwork(graph);
  checkWeightBits(network.layers.length, precision);
  const given = calibration && fittingRows(calibration, network.layers[0]?.inputSize ?? 0);
  const { layers, standardisation } = standardiseNetwork(network, inputRange, given, rangeFrom);
  const { synthetic } = standardisation;
  const products = layers.reduce((sum, { weights }) => sum + weights.length, 1);
  const most = Math.max(fewestRows, Math.floor(mostProducts / products));
  const rows = synthetic ? standardisation.rows.slice(0, most) : standardisation.rows;
  const integerGraph = quantizeNetwork({
    layers,
    rows,
    synthetic,
    inputName: rowNameOf(network.inputs),
    outputName: scoresNameOf(network),
    precision,
  });
  const format = inputFormatOf(precision);
  const own = () => (synthetic ? [] : rows.map((row) => quantizeRow(row, format)));
  return {
    network,
    standardisation,
    integerGraph,
    io: {
      inputs: gridInputs(network.inputs, integerGraph, standardisation),
      outputs: network.outputs.map((output) => scoreOutput(output, integerGraph)),
    },
    vectors: () => verificationVectors(integerGraph, own()),
    calibration: calibrationOf(standardisation),
    notes: precisionNotes(precision, standardisation),
  };
}

/** A graph of dense layers in floats, over inputs that the host standardises: for whoever has arithmetic of its own. */
export interface DenseFloats {
  readonly layers: readonly DenseLayer[];
  /** Standardised rows to judge arithmetic by, and whether nobody gave any. */
  readonly rows: readonly Float64Array[];
  readonly synthetic: boolean;
  readonly calibration: Calibration | null;
  readonly names: { readonly input: string; readonly output: string };
  /** What the host does at the edges of a core whose words have these bits. */
  readonly io: (words: { readonly width: number; readonly fraction: number }) => ArtifactIo;
}

/**
 * Reads a graph of dense layers, in floats.
 *
 * @param isScaled Whether the host standardises the inputs; else the first layer reads them as they are.
 * @throws {AppError} as `readModel`; `MODEL_UNSUPPORTED` for any other graph, `CARD_INVALID`.
 */
export function readDense(
  { graph, inputRange, rangeFrom, calibration }: LowerRequest,
  isScaled = true,
): DenseFloats {
  const network = denseNetwork(graph);
  const given = calibration && fittingRows(calibration, network.layers[0]?.inputSize ?? 0);
  const scaled = standardiseNetwork(network, inputRange, given, rangeFrom);
  const { standardisation } = scaled;
  const { mean, deviation } = standardisation;
  const plainRow = (row: Float64Array) =>
    row.map((value, at) => value * (deviation[at] ?? 1) + (mean[at] ?? 0));
  const size = network.layers.at(-1)?.outputSize ?? 0;
  return {
    layers: isScaled ? scaled.layers : network.layers,
    rows: isScaled ? standardisation.rows : standardisation.rows.map(plainRow),
    synthetic: standardisation.synthetic,
    calibration: calibrationOf(standardisation),
    names: { input: rowNameOf(network.inputs), output: scoresNameOf(network) },
    io: (words) => ({
      inputs: gridInputs(network.inputs, { input: words }, standardisation),
      outputs: network.outputs.map((output) => scoreOutput(output, { output: { size, ...words } })),
    }),
  };
}

function checkWeightBits(layers: number, { weightBits: { length } }: Precision): void {
  if (length === 1 || length === layers) return;
  throw fail("OPTION_INVALID", `${length} weight bits are given for ${layers} layers.`, {
    field: "options.weightBits",
    hint: "Give one number for all layers, or one for each layer.",
  });
}
/**
 * A network over standardised inputs: what the host does not undo becomes part of the first layer.
 *
 * @throws {AppError} `CARD_INVALID`
 */
function standardiseNetwork(
  { layers: [first, ...rest], scaling }: DenseNetwork,
  inputRange: InputRange | null,
  calibration: CalibrationRows | null,
  rangeFrom: RangeFrom = "card",
): { readonly layers: readonly DenseLayer[]; readonly standardisation: Standardisation } {
  if (!first) throw new RangeError("A legal network has a layer.");
  const standardisation = standardise(first.inputSize, {
    range: inputRange,
    rangeFrom,
    given: calibration,
    own: scaling ?? null,
  });
  const { mean, deviation } = standardisation;
  const scale = { factor: Float64Array.from(deviation), offset: Float64Array.from(mean) };
  return { layers: [foldBefore(scale, first), ...rest], standardisation };
}

/** The scores are called like the first output that is made of all of them. */
function scoresNameOf({ outputs }: DenseNetwork): string {
  const scores = outputs.find(({ activation }) => activation !== "argmax") ?? outputs[0];
  return scores.spec.name;
}
