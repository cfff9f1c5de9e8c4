import type { ArtifactIo, Manifest } from "@/lib/common/contract";
import { AppError, fail } from "@/lib/common/errors";
import { dequantize, quantize } from "@/lib/common/fixed-point";
import type { Datatype, Tensor } from "@/lib/common/tensor";
import { argmax, softmax } from "./activations";

type Core = NonNullable<Manifest["core"]>;

/** Rows of a batch as a core takes them: per row one byte for each element of each input. */
export interface EncodedRows {
  readonly bytes: Uint8Array;
  readonly count: number;
}

/**
 * Standardises and quantises a batch into the core's bytes.
 *
 * @throws {AppError} `INFER_INVALID` when an input is missing or its element count is no whole number of rows.
 */
export function encodeRows(io: ArtifactIo, core: Core, inputs: readonly Tensor[]): EncodedRows {
  const count = rowCount(io, inputs);
  const bytes = new Uint8Array(count * core.inputBytes);
  let offset = 0;
  for (const spec of io.inputs) {
    const { fixedPoint, standardise, size } = spec;
    if (!fixedPoint) throw malformed(`input '${spec.name}' has no fixed-point format`);
    const values = valuesOf(inputs, spec.name);
    for (let row = 0; row < count; row++) {
      for (let i = 0; i < size; i++) {
        let value = Number(values[row * size + i]);
        if (standardise) {
          value = (value - (standardise.mean[i] ?? 0)) / (standardise.deviation[i] ?? 1);
        }
        // Two's complement: a Uint8Array keeps the low eight bits.
        bytes[row * core.inputBytes + offset + i] = quantize(value, fixedPoint);
      }
    }
    offset += size;
  }
  return { bytes, count };
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
    const width = io.outputs.length === 1 ? perRow : spec.size;
    const shape = spec.shape.map((dimension, axis) => (axis === 0 ? count : dimension));
    const classes = spec.shape.at(-1) ?? width;
    const values = new Float64Array(count * width);
    for (let row = 0; row < count; row++) {
      for (let i = 0; i < width; i++) {
        const score = scores[row * perRow + offset + i] ?? 0;
        values[row * width + i] = dequantize(score, fixedPoint);
      }
    }
    offset += width;
    if (spec.activation === "argmax") {
      const data = BigInt64Array.from({ length: count }, (_, row) =>
        BigInt(argmax(values.subarray(row * width, (row + 1) * width))),
      );
      return { name: spec.name, datatype: "INT64" as const, shape, data };
    }
    if (spec.activation === "softmax") softmax(values, classes > 0 ? classes : width);
    return {
      name: spec.name,
      datatype: spec.datatype as Datatype,
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
