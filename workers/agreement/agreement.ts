import { type Reference, type ReferenceRun, runReference, wordsOfRow } from "@/engines";
import type { ArtifactIo, Proof } from "@/lib/common/contract";
import {
  bytesOfInput,
  corePortOf,
  decodeRows,
  encodeRows,
  fromFloatWord,
  readWords,
} from "@/lib/common/core-io";
import { dequantize } from "@/lib/common/fixed-point";
import { rankBytes, valueOfRank } from "@/lib/common/ranks";
import type { Rows } from "@/lib/common/rows";
import type { Tensor } from "@/lib/common/tensor";
import { tensorsOfRows } from "../rows";
import { answerAt } from "./class-reader";

/** How far answers lie from the float model's. */
export type Agreement = Omit<Proof, "vectors" | "mismatches" | "rows" | "source">;

type Input = ArtifactIo["inputs"][number];

/**
 * What a board would answer to rows of reals, by the software model: the values of each output, row by row.
 *
 * @param see Is shown what every node made of each row.
 */
export function answerRows(
  graph: Reference,
  io: ArtifactIo,
  rows: Rows,
  see?: (run: ReferenceRun) => void,
): Float64Array[] {
  const core = corePortOf(graph, 0);
  const { bytes } = encodeRows(io, core, inputTensors(io.inputs, rows));
  const words = new (graph.output.width === 16 ? Int16Array : Int32Array)(
    rows.count * graph.output.size,
  );
  for (let row = 0; row < rows.count; row++) {
    const sent = new Int8Array(bytes.buffer, row * core.inputBytes, core.inputBytes);
    const run = runReference(graph, wordsOfRow(graph, sent));
    see?.(run);
    words.set(run.output, row * graph.output.size);
  }
  return decodeRows(io, core, new Uint8Array(words.buffer), rows.count).map(({ data }) =>
    Float64Array.from(data as ArrayLike<number | bigint>, Number),
  );
}

/** Rows of a file as the tensors that clients would send. */
export function inputTensors(inputs: readonly Input[], rows: Rows): Tensor[] {
  return [...tensorsOfRows(inputs, rows, rows.count)].map(([name, { shape, values }]) => ({
    name,
    datatype: "FP64",
    shape,
    data: values,
  }));
}

/** Rows of reals that quantise to the given core inputs: for models that came without rows of their own. */
export function rowsOfVectors(vectors: readonly Int8Array[], io: ArtifactIo): Rows | null {
  const isOpen = ({ fixedPoint, float, ranks }: Input) => !fixedPoint && !float && !ranks;
  if (io.inputs.some(isOpen)) return null;
  const values = vectors.flatMap((vector) => {
    let first = 0;
    return io.inputs.flatMap((input) => {
      const bytes = vector.subarray(first, first + bytesOfInput(input));
      first += bytes.length;
      return input.ranks ? valuesOfRanks(bytes, input.ranks) : valuesOfWords(bytes, input);
    });
  });
  return {
    count: vectors.length,
    width: io.inputs.reduce((width, { size }) => width + size, 0),
    values: Float32Array.from(values),
    labels: null,
    source: "synthetic input",
  };
}

function valuesOfWords(bytes: Int8Array, input: Input): number[] {
  const { fixedPoint, float, standardise } = input;
  return Array.from(readWords(bytes, bytesOfInput(input) / input.size), (word, at) => {
    if (float) return fromFloatWord(float, word);
    const scaled = fixedPoint ? dequantize(word, fixedPoint) : word;
    return scaled * (standardise?.deviation[at] ?? 1) + (standardise?.mean[at] ?? 0);
  });
}

function valuesOfRanks(bytes: Int8Array, features: NonNullable<Input["ranks"]>): number[] {
  let offset = 0;
  return features.map((ranks) => {
    const size = rankBytes(ranks);
    const code = bytes
      .subarray(offset, offset + size)
      .reduce((sum, byte, at) => sum + (byte & 255) * 256 ** at, 0);
    offset += size;
    return size === 0 ? 0 : valueOfRank(code, ranks);
  });
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
