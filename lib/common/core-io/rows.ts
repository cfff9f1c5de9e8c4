import type { ArtifactIo, Manifest } from "@/lib/common/contract";
import { evaluateElementwise } from "@/lib/common/elementwise";
import { AppError, fail } from "@/lib/common/errors";
import {
  boundsOf,
  dequantize,
  type FixedPoint,
  type ModelGrid,
  nearestStepOnto,
  roundToEven,
} from "@/lib/common/fixed-point";
import { encodeRanks, rankBytes } from "@/lib/common/ranks";
import { type Tensor, toDatatype } from "@/lib/common/tensor";
import { argmax, exp, sigmoid, softmax } from "./activations";
import { floatBytes, fromFloatWord, toFloatWord } from "./float-words";
import { readWords } from "./words";

type Core = NonNullable<Manifest["core"]>;

/** Rows of a batch as a core takes them: per row the bytes of each element of each input, or those of its ranks. */
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
export const bytesOfInput = ({ ranks, size, ...spec }: InputFormat): number =>
  ranks ? ranks.reduce((sum, each) => sum + rankBytes(each), 0) : size * bytesPerElement(spec);

type InputFormat = Pick<InputSpec, "ranks" | "size" | "float" | "fixedPoint">;

/** A quantised model's own grids have a byte; others as many as their format takes. */
const bytesPerElement = ({ float, fixedPoint }: Pick<InputSpec, "float" | "fixedPoint">): number =>
  float ? floatBytes(float) : Math.ceil((fixedPoint?.width ?? 8) / 8);

/** Writes one row of an input from `at` on; answers how many of its elements its grid does not hold. */
type EncodeRow = (row: number, bytes: Uint8Array, at: number) => number;

function encoderOf(spec: InputSpec, values: ArrayLike<number | bigint>): EncodeRow {
  const { fixedPoint, float, quantise, ranks, size } = spec;
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
    return ontoGrid(size, quantise, { stepAt, bits: 8 });
  }
  if (float) {
    return (row, bytes, at) => {
      const bits = 8 * floatBytes(float);
      let place = at;
      for (let index = 0; index < size; index++) {
        const word = toFloatWord(float, valueAt(row, index));
        for (let shift = 0; shift < bits; shift += 8) bytes[place++] = word >> shift;
      }
      return 0;
    };
  }
  if (!fixedPoint) throw malformed(`input '${spec.name}' has no fixed-point format`);
  return fixedPointEncoder({ ...spec, fixedPoint }, values);
}

/**
 * The usual one, and a loop of its own: what is called for each element, and a power for each, take longer than a small
 * core does for the row.
 */
function fixedPointEncoder(
  { size, fixedPoint, standardise }: InputSpec & { readonly fixedPoint: FixedPoint },
  values: ArrayLike<number | bigint>,
): EncodeRow {
  const { mean, deviation } = standardise ?? { mean: [], deviation: [] };
  const { min, max } = boundsOf(fixedPoint);
  const bits = 8 * bytesPerElement({ fixedPoint });
  const stepsPerUnit = 2 ** fixedPoint.fraction;
  return (row, bytes, at) => {
    let beyond = 0;
    let place = at;
    for (let index = 0; index < size; index++) {
      const value = Number(values[row * size + index] ?? 0);
      const scaled = (value - (mean[index] ?? 0)) / (deviation[index] ?? 1);
      const step = roundToEven(scaled * stepsPerUnit) || 0;
      if (step < min || step > max) beyond++;
      const word = Math.min(max, Math.max(min, step));
      for (let shift = 0; shift < bits; shift += 8) bytes[place++] = word >> shift;
    }
    return beyond;
  };
}

function ontoGrid(
  size: number,
  { min, max, offset }: Omit<ModelGrid, "scale">,
  {
    stepAt,
    bits,
  }: {
    readonly stepAt: (row: number, index: number) => number;
    readonly bits: number;
  },
): EncodeRow {
  return (row, bytes, at) => {
    let beyond = 0;
    let place = at;
    for (let index = 0; index < size; index++) {
      const step = stepAt(row, index);
      if (step < min || step > max) beyond++;
      const word = Math.min(max, Math.max(min, step)) - offset;
      // Two's complement, the low byte first: a Uint8Array keeps the low eight bits.
      for (let shift = 0; shift < bits; shift += 8) bytes[place++] = word >> shift;
    }
    return beyond;
  };
}

/** Dequantises the core's answers, applies what comes after the core, and gives the model's outputs. */
export function decodeRows(io: ArtifactIo, core: Core, bytes: Uint8Array, count: number): Tensor[] {
  const perRow = core.outputBytes / core.bytesPerOutput;
  const scores = readWords(bytes, core.bytesPerOutput, count * perRow);
  let offset = 0;
  return io.outputs.map((spec) => {
    const toReal = realsOf(spec);
    // A lone output owns every score of the row: an index is one element made of many scores.
    const width = spec.scores?.count ?? (io.outputs.length === 1 ? perRow : spec.size);
    const first = spec.scores?.first ?? offset;
    const shape = spec.shape.map((dimension, axis) => (axis === 0 ? count : dimension));
    const classes = spec.shape.at(-1) ?? width;
    const values = new Float64Array(count * width);
    for (let row = 0; row < count; row++) {
      for (let i = 0; i < width; i++)
        values[row * width + i] = toReal(scores[row * perRow + first + i] ?? 0);
    }
    const { elementwise } = spec;
    if (elementwise) {
      for (let i = 0; i < values.length; i++)
        values[i] = evaluateElementwise(elementwise, values[i] ?? 0);
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
      data: spec.datatype === "FP64" ? values : new Float32Array(values),
    };
  });
}

/** What makes reals of the scores of an output. */
function realsOf({ name, float, fixedPoint }: ArtifactIo["outputs"][number]) {
  if (float) return (score: number) => fromFloatWord(float, score);
  if (fixedPoint) {
    const unit = dequantize(1, fixedPoint);
    return (score: number) => score * unit;
  }
  throw malformed(`output '${name}' has no fixed-point format`);
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
