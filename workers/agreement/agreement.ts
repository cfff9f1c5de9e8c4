import { type Reference, type ReferenceRun, runReference } from "@/engines";
import type { ArtifactIo, Proof } from "@/lib/common/contract";
import { fromFloatWord, toFloatWord } from "@/lib/common/core-io";
import { evaluateElementwise } from "@/lib/common/elementwise";
import { dequantize, quantize, quantizeOnto } from "@/lib/common/fixed-point";
import { encodeRanks, type FeatureRanks, rankBytes, valueOfRank } from "@/lib/common/ranks";
import type { Rows } from "@/lib/common/rows";
import { answerAt, largestAt } from "./class-reader";

/** How far answers lie from the float model's. */
export type Agreement = Omit<Proof, "vectors" | "mismatches" | "rows" | "source">;

type Input = ArtifactIo["inputs"][number];
type Output = ArtifactIo["outputs"][number];

/**
 * What a board would answer to rows of reals, by the design's software model, as its first output.
 *
 * @param see Is shown each row and what every node made of it.
 */
export function answerRows(
  graph: Reference,
  io: ArtifactIo,
  rows: Rows,
  see?: (values: Float32Array, run: ReferenceRun) => void,
): Float64Array {
  const [output] = io.outputs;
  if (!output) return new Float64Array();
  const answers: number[] = [];
  for (let row = 0; row < rows.count; row++) {
    const values = rows.values.subarray(row * rows.width, (row + 1) * rows.width);
    const run = runReference(graph, quantizeRow(values, io));
    see?.(values, run);
    answers.push(...finish(run.output, output));
  }
  return Float64Array.from(answers);
}

/** Rows of reals that quantise to the given core inputs: for models that came without rows of their own. */
export function rowsOfVectors(vectors: readonly ArrayLike<number>[], io: ArtifactIo): Rows | null {
  const [input] = io.inputs;
  if (input?.ranks && io.inputs.length === 1) return rowsOfRanks(vectors, input.ranks);
  if (!input || io.inputs.some(({ fixedPoint, float }) => !fixedPoint && !float)) return null;
  const columns = io.inputs.flatMap(({ size, fixedPoint, float, standardise }) =>
    Array.from({ length: size }, (_, at) => ({
      fixedPoint,
      float,
      mean: standardise?.mean[at] ?? 0,
      deviation: standardise?.deviation[at] ?? 1,
    })),
  );
  const values = vectors.flatMap((vector) =>
    columns.map(({ fixedPoint, float, mean, deviation }, at) => {
      const integer = vector[at] ?? 0;
      if (float) return fromFloatWord(float, integer);
      return (fixedPoint ? dequantize(integer, fixedPoint) : integer) * deviation + mean;
    }),
  );
  return {
    count: vectors.length,
    width: columns.length,
    values: Float32Array.from(values),
    labels: null,
    source: "synthetic input",
  };
}

function rowsOfRanks(
  vectors: readonly ArrayLike<number>[],
  features: readonly FeatureRanks[],
): Rows {
  const values = vectors.flatMap((vector) => {
    let offset = 0;
    return features.map((ranks) => {
      const bytes = rankBytes(ranks);
      const code = Array.from(vector)
        .slice(offset, offset + bytes)
        .reduce((sum, byte, at) => sum + (byte & 255) * 256 ** at, 0);
      offset += bytes;
      return bytes === 0 ? 0 : valueOfRank(code, ranks);
    });
  });
  return {
    count: vectors.length,
    width: features.length,
    values: Float32Array.from(values),
    labels: null,
    source: "synthetic input",
  };
}

/** A row of reals as the core takes it: its inputs one behind the other. */
const quantizeRow = (row: Float32Array, { inputs }: ArtifactIo): number[] =>
  partsOfRow(row, inputs).flatMap(({ input, values }) => Array.from(quantizeInput(values, input)));

/** What each input has of a row of all of them, one behind the other. */
export function partsOfRow(
  row: Float32Array,
  inputs: readonly Input[],
): { readonly input: Input; readonly values: Float32Array }[] {
  let first = 0;
  return inputs.map((input) => {
    const values = row.subarray(first, first + input.size);
    first += input.size;
    return { input, values };
  });
}

function quantizeInput(
  values: Float32Array,
  { fixedPoint, float, standardise, quantise, ranks }: Input,
): ArrayLike<number> {
  if (float) return Array.from(values, (value) => toFloatWord(float, value));
  if (quantise) return Int8Array.from(values, (value) => quantizeOnto(value, quantise));
  if (ranks) return encodeRanks(values, ranks);
  return Array.from(values, (value, at) => {
    const scaled = standardise
      ? (value - (standardise.mean[at] ?? 0)) / (standardise.deviation[at] ?? 1)
      : value;
    return fixedPoint ? quantize(scaled, fixedPoint) : scaled;
  });
}

function finish(
  row: Int32Array,
  { fixedPoint, float, elementwise = [], activation, classes, scores }: Output,
): number[] {
  const { first, count } = scores ?? { first: 0, count: row.length };
  const realOf = (score: number) => {
    if (float) return fromFloatWord(float, score);
    return fixedPoint ? dequantize(score, fixedPoint) : score;
  };
  const reals = Array.from(row.subarray(first, first + count), (score) =>
    evaluateElementwise(elementwise, realOf(score)),
  );
  if (activation === "argmax") return [classes?.[largestAt(reals)] ?? largestAt(reals)];
  if (activation === "none") return reals;
  if (activation === "sigmoid") return reals.map((value) => 1 / (1 + Math.exp(-value)));
  if (activation === "exp") return reals.map(Math.exp);
  const largest = Math.max(...reals);
  const powers = reals.map((value) => Math.exp(value - largest));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / sum);
}

/**
 * How far answers lie from the float model's, row by row.
 *
 * @param size Elements a row of either has.
 * @param classOf The class that an answer names; null where it names none.
 */
export function compareAnswers(
  ours: ArrayLike<number>,
  float: ArrayLike<number>,
  {
    rows,
    size,
    classOf,
  }: {
    readonly rows: Rows;
    readonly size: number;
    readonly classOf: ((answer: ArrayLike<number>) => number) | null;
  },
): Agreement {
  let maxAbsError = 0;
  let sum = 0;
  for (let at = 0; at < rows.count * size; at++) {
    const distance = Math.abs((ours[at] ?? Number.NaN) - (float[at] ?? Number.NaN));
    maxAbsError = Math.max(maxAbsError, distance);
    sum += distance;
  }
  const classAt = (values: ArrayLike<number>, row: number) =>
    classOf?.(answerAt(values, row, size)) ?? 0;
  const share = (isRight: (row: number) => boolean) =>
    Array.from({ length: rows.count }, (_, row) => row).filter(isRight).length /
    Math.max(1, rows.count);
  const { labels } = rows;
  return {
    maxAbsError,
    meanAbsError: sum / Math.max(1, rows.count * size),
    agreement: classOf ? share((row) => classAt(ours, row) === classAt(float, row)) : null,
    accuracy: classOf && labels ? share((row) => classAt(ours, row) === labels[row]) : null,
    floatAccuracy: classOf && labels ? share((row) => classAt(float, row) === labels[row]) : null,
  };
}
