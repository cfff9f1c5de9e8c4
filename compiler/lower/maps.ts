import { dequantize } from "@/lib/common/fixed-point";
import { requireFiniteRanges } from "../graph/require-numbers";
import type { Layer, MapModel } from "../model/maps/layers";
import { productsOf, runLayers, runWithSums } from "../model/maps/run-layers";
import { heldMagnitudes, metArguments } from "../passes/calibrate";
import { clipWhereItHelps } from "../passes/clip-where-it-helps";
import { fittingRows } from "../passes/fitting-rows";
import { calibrationOf, precisionNotes } from "../passes/how-numbers-were-chosen";
import { levelJoins } from "../passes/maps/level-joins";
import { quantizeLayers, tablesOf } from "../passes/maps/quantize-layers";
import { standardiseMaps, toInput } from "../passes/maps/standardise-maps";
import { mapVectors } from "../passes/maps/vectors";
import { inputFormatOf, precisions } from "../passes/precision";
import type { Standardisation } from "../passes/standardise";
import { mapModel } from "../reader";
import { gridInputs, rowNameOf, scoreOutput } from "./edges";
import type { Lowered, LowerRequest } from "./lowered";

export interface LoweredMaps extends Lowered {
  readonly model: MapModel;
  readonly standardisation: Standardisation;
}

/** Multiplications spent on finding ranges, and on trying out what to clip. */
const budget = { calibrate: 6e7, clip: 4e7 } as const;
const maxRows = 512;
const trialRows = 64;

/**
 * Brings a graph of feature maps down to the integer graph that hardware runs.
 *
 * @throws {AppError} `OPERATOR_UNSUPPORTED` and the other reasons of `readModel`, `CARD_INVALID`.
 */
export function lowerMaps({
  graph,
  inputRange,
  rangeFrom = "card",
  calibration,
  precision = precisions["exact-ish"],
  mostProducts = Number.POSITIVE_INFINITY,
}: LowerRequest): LoweredMaps {
  const model = mapModel(graph);
  const format = inputFormatOf(precision);
  const products = Math.max(1, productsOf(model.layers));
  const rowsWithin = (most: number, least: number) =>
    Math.min(maxRows, Math.max(least, Math.floor(Math.min(most, mostProducts) / products)));
  const { standardisation, layers: standardised } = standardiseMaps(model, format, {
    range: inputRange,
    rangeFrom,
    given: calibration && fittingRows(calibration, model.inputSize),
    rows: rowsWithin(budget.calibrate, 8),
  });
  const { rows, synthetic } = standardisation;
  const sent = rows.map((row) => toInput(row, format));
  const grid = sent.map((row) => Float64Array.from(row, (each) => dequantize(each, format)));
  const { ranges: held, spans, met } = calibrateLayers(standardised, grid, synthetic);
  const { layers, ranges } = levelJoins({ layers: standardised, ranges: held });
  requireFiniteRanges(layers, ranges);
  requireFiniteRanges(layers, spans);
  const tables = tablesOf({ layers, spans, met, precision });
  const build = (clipped: readonly boolean[]) =>
    quantizeLayers({
      layers,
      ranges,
      tables,
      clipped,
      precision,
      input: { name: rowNameOf(model.inputs), size: model.inputSize },
      outputName: model.outputs[0].spec.name,
    });
  const trials = Math.min(
    trialRows,
    Math.max(2, Math.floor(Math.min(budget.clip, mostProducts) / products / layers.length)),
  );
  const hasWeights = layers.map(({ kind }) => kind === "convolution");
  const integerGraph = clipWhereItHelps(hasWeights, build, {
    rows: sent.slice(0, trials),
    scores: grid.slice(0, trials).map((row) => runLayers(layers, row).at(-1) ?? []),
  });
  return {
    model,
    standardisation,
    integerGraph,
    io: {
      inputs: gridInputs(model.inputs, integerGraph, standardisation),
      outputs: model.outputs.map((output) => scoreOutput(output, integerGraph)),
    },
    vectors: () => mapVectors(integerGraph, products, synthetic ? [] : sent),
    calibration: calibrationOf(standardisation),
    notes: precisionNotes(precision, standardisation),
  };
}

/** The magnitude that each layer's values must hold; that of what its function is taken of, and some of what that is. */
function calibrateLayers(
  layers: readonly Layer[],
  rows: readonly Float64Array[],
  synthetic: boolean,
): { readonly ranges: number[]; readonly spans: number[]; readonly met: number[][] } {
  const magnitudes = {
    values: layers.map((): number[] => []),
    sums: layers.map((): number[] => []),
    met: layers.map((): number[] => []),
  };
  for (const row of rows) {
    for (const [place, { sums, values }] of runWithSums(layers, row).entries()) {
      for (const value of values) magnitudes.values[place]?.push(Math.abs(value));
      if (sums === values) continue;
      for (const sum of sums) {
        magnitudes.sums[place]?.push(Math.abs(sum));
        magnitudes.met[place]?.push(sum);
      }
    }
  }
  return {
    ranges: heldMagnitudes(magnitudes.values, synthetic),
    spans: heldMagnitudes(magnitudes.sums, synthetic),
    met: magnitudes.met.map((sums) => metArguments(sums, synthetic)),
  };
}
