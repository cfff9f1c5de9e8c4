import type { DenseNetwork } from "./dense-network";
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

export interface LowerRequest {
  readonly graph: Graph;
  readonly inputRange: InputRange | null;
  readonly calibration: CalibrationRows | null;
  /** Left out: 8 bits of everything. */
  readonly precision?: Precision;
}

/** A float model as integers, with what host and verification need beside it. */
export interface Lowered {
  readonly network: DenseNetwork;
  readonly standardisation: Standardisation;
  readonly integerGraph: IntegerGraph;
  readonly vectors: readonly Int8Array[];
}

/**
 * Brings a float graph down to the integer graph that hardware runs.
 *
 * @throws {AppError} `OPERATOR_UNSUPPORTED` and the other reasons of `legalise`, `CARD_INVALID`.
 */
export function lower({
  graph,
  inputRange,
  calibration,
  precision = precisions["exact-ish"],
}: LowerRequest): Lowered {
  const network = legalise(graph);
  const [first, ...rest] = network.layers;
  if (!first) throw new RangeError("A legal network has a layer.");
  const standardisation = standardise(first.inputSize, inputRange, calibration);
  const { mean, deviation, rows, synthetic } = standardisation;
  const scaled = foldBefore(
    { factor: Float64Array.from(deviation), offset: Float64Array.from(mean) },
    first,
  );
  const integerGraph = quantizeNetwork({
    layers: [scaled, ...rest],
    rows,
    synthetic,
    inputName: network.input.name,
    outputName: network.output.name,
    precision,
  });
  const own = synthetic ? [] : rows.map((row) => quantizeRow(row, inputFormatOf(precision)));
  return {
    network,
    standardisation,
    integerGraph,
    vectors: verificationVectors(integerGraph, own),
  };
}
