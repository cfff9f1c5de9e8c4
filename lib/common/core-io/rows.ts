import type { ArtifactIo, Manifest } from "@/lib/common/contract";
import { evaluateElementwise } from "@/lib/common/elementwise";
import { AppError, fail } from "@/lib/common/errors";
import {
  boundsOf,
  dequantize,
  type ModelGrid,
  nearestStep,
  nearestStepOnto,
} from "@/lib/common/fixed-point";
import { encodeRanks, rankBytes } from "@/lib/common/ranks";
import { type Tensor, toDatatype } from "@/lib/common/tensor";
import { argmax, exp, sigmoid, softmax } from "./activations";

type Core = NonNullable<Manifest["core"]>;

/** Rows of a batch as a core takes them: per row one byte for each element of each input, or the bytes of its ranks. */
export interface EncodedRows {
  readonly bytes: Uint8Array;
  readonly count: number;
  /** How many elements of each row lie beyond the last step of their grid, and were sent as that; null: none does. */
  readonly clipped: readonly number[] | null;
}

/**
 * Standardises and quantises a batch, or ranks it, into the core's bytes.
 *
 * @throws {AppError} `INFER_INVALID` when an input is missing or its element count is no whole number of rows.
 */
export function encodeRows(io: ArtifactIo, core: Core, inputs: readonly Tensor[]): EncodedRows {
  const count = rowCount(io, inputs);
  const bytes = new Uint8Array(count * core.inputBytes);
  let clipped: number[] | null = null;
  let offset = 0;
  for (const spec of io.inputs) {
    const encode = encoderOf(spec, valuesOf(inputs, spec.name));
    for (let row = 0; row < count; row++) {
      const beyond = encode(row, bytes, row * core.inputBytes + offset);
      if (beyond === 0) continue;
      clipped ??= Array<number>(count).fill(0);
      clipped[row] = (clipped[row] ?? 0) + beyond;
    }
    offset += bytesOfInput(spec);
  }
  return { bytes, count, clipped };
}

type InputSpec = ArtifactIo["inputs"][number];

/** Bytes that an input has of a row of the core. */
export const bytesOfInput = ({ ranks, size }: Pick<InputSpec, "ranks" | "size">): number =>
  ranks ? ranks.reduce((sum, each) => sum + rankBytes(each), 0) : size;

/** Writes one row of an input from `at` on; answers how many of its elements its grid does not hold. */
type EncodeRow = (row: number, bytes: Uint8Array, at: number) => number;

function encoderOf(spec: InputSpec, values: ArrayLike<number | bigint>): EncodeRow {
  const { fixedPoint, standardise, quantise, ranks, size } = spec;
  const valueAt = (row: number, index: number) => Number(values[row * size + index] ?? 0);
  if (ranks) {
    return (row, bytes, at) => {
      const reals = Float64Array.from({ length: size }, (_, index) => valueAt(row, index));
      bytes.set(encodeRanks(reals, ranks), at);
      return 0;
    };
  }
  if (quantise) {
    const stepAt = (row: number, index: number) => nearestStepOnto(valueAt(row, index), quantise);
    return ontoGrid(size, quantise, stepAt);
  }
  if (!fixedPoint) throw malformed(`input '${spec.name}' has no fixed-point format`);
  const { mean, deviation } = standardise ?? { mean: [], deviation: [] };
  return ontoGrid(size, { ...boundsOf(fixedPoint), offset: 0 }, (row, index) => {
    const scaled = (valueAt(row, index) - (mean[index] ?? 0)) / (deviation[index] ?? 1);
    return nearestStep(scaled, fixedPoint);
  });
}

function ontoGrid(
  size: number,
  { min, max, offset }: Omit<ModelGrid, "scale">,
  stepAt: (row: number, index: number) => number,
): EncodeRow {
  return (row, bytes, at) => {
    let beyond = 0;
    for (let index = 0; index < size; index++) {
      const step = stepAt(row, index);
      if (step < min || step > max) beyond++;
      // Two's complement: a Uint8Array keeps the low eight bits.
      bytes[at + index] = Math.min(max, Math.max(min, step)) - offset;
    }
    return beyond;
  };
}

/** Dequantises the core's answers, applies what comes after the core, and gives the model's outputs. */
export function decodeRows(io: ArtifactIo, core: Core, bytes: Uint8Array, count: number): Tensor[] {
  const scores = readScores(core, bytes, count);
  const perRow = core.outputBytes / core.bytesPerOutput;
  let offset = 0;
  return io.outputs.map((spec) => {
    const { fixedPoint } = spec;
    if (!fixedPoint) throw malformed(`output '${spec.name}' has no fixed-point format`);
    // A lone output owns every score of the row: an index is one element made of many scores.
    const width = spec.scores?.count ?? (io.outputs.length === 1 ? perRow : spec.size);
    const first = spec.scores?.first ?? offset;
    const shape = spec.shape.map((dimension, axis) => (axis === 0 ? count : dimension));
    const classes = spec.shape.at(-1) ?? width;
    const values = new Float64Array(count * width);
    for (let row = 0; row < count; row++) {
      for (let i = 0; i < width; i++) {
        const score = scores[row * perRow + first + i] ?? 0;
        const real = dequantize(score, fixedPoint);
        values[row * width + i] = spec.elementwise
          ? evaluateElementwise(spec.elementwise, real)
          : real;
      }
    }
    offset += width;
    if (spec.activation === "argmax") {
      const data = BigInt64Array.from({ length: count }, (_, row) => {
        const best = argmax(values.subarray(row * width, (row + 1) * width));
        return BigInt(spec.classes?.[best] ?? best);
      });
      return { name: spec.name, datatype: "INT64" as const, shape, data };
    }
    if (spec.activation === "softmax") softmax(values, classes > 0 ? classes : width);
    if (spec.activation === "sigmoid") sigmoid(values);
    if (spec.activation === "exp") exp(values);
    return {
      name: spec.name,
      datatype: toDatatype(spec.datatype),
      shape,
      data: spec.datatype === "FP64" ? values : Float32Array.from(values),
    };
  });
}

function readScores(core: Core, bytes: Uint8Array, count: number): Int32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const scores = new Int32Array((count * core.outputBytes) / core.bytesPerOutput);
  for (let i = 0; i < scores.length; i++) {
    const at = i * core.bytesPerOutput;
    if (core.bytesPerOutput === 1) scores[i] = view.getInt8(at);
    else if (core.bytesPerOutput === 2) scores[i] = view.getInt16(at, true);
    else scores[i] = view.getInt32(at, true);
  }
  return scores;
}

function rowCount(io: ArtifactIo, inputs: readonly Tensor[]): number {
  const counts = io.inputs.map(({ name, size }) => valuesOf(inputs, name).length / size);
  const [count] = counts;
  if (count === undefined || !Number.isInteger(count) || counts.some((each) => each !== count)) {
    throw fail("INFER_INVALID", "the inputs are not the same whole number of rows");
  }
  return count;
}

function valuesOf(inputs: readonly Tensor[], name: string): ArrayLike<number | bigint> {
  const tensor = inputs.find((input) => input.name === name);
  if (!tensor) throw fail("INFER_INVALID", `input '${name}' is missing`);
  if (
    !ArrayBuffer.isView(tensor.data) ||
    tensor.datatype === "FP16" ||
    tensor.datatype === "BF16"
  ) {
    throw fail("INFER_INVALID", `input '${name}' cannot be ${tensor.datatype} on this board`);
  }
  return tensor.data;
}

function malformed(what: string): AppError {
  return new AppError("internal", `The artifact's manifest is malformed: ${what}.`, {
    reason: "ARTIFACT_MISMATCH",
  });
}
