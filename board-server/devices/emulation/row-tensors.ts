import type { ArtifactIo } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import type { Tensor } from "@/lib/common/tensor";

/** Rows of float32 as the program of an emulation takes them. */
export interface JoinedRows {
  readonly count: number;
  readonly bytes: Uint8Array;
}

/**
 * Tensors as rows: of each row, every input one behind the other.
 *
 * @throws {AppError} `INFER_INVALID` for inputs that do not fit.
 */
export function joinRows(specs: ArtifactIo["inputs"], inputs: readonly Tensor[]): JoinedRows {
  const parts = specs.map(({ name, size }) => {
    const data = inputs.find((input) => input.name === name)?.data;
    if (!(data instanceof Float32Array) || data.length === 0 || data.length % size !== 0)
      throw fail("INFER_INVALID", `Input '${name}' wants rows of ${size} FP32 elements.`);
    return { size, data, count: data.length / size };
  });
  const [first] = parts;
  if (!first || parts.some(({ count }) => count !== first.count))
    throw fail("INFER_INVALID", "The inputs have different numbers of rows.");
  const { count, data } = first;
  if (parts.length === 1) return { count, bytes: bytesOf(data) };
  const stride = parts.reduce((sum, { size }) => sum + size, 0);
  const rows = new Float32Array(count * stride);
  let offset = 0;
  for (const part of parts) {
    for (let row = 0; row < count; row++) {
      const values = part.data.subarray(row * part.size, (row + 1) * part.size);
      rows.set(values, row * stride + offset);
    }
    offset += part.size;
  }
  return { count, bytes: bytesOf(rows) };
}

/** Rows that were answered, as tensors. */
export function splitRows(
  specs: ArtifactIo["outputs"],
  bytes: Uint8Array,
  count: number,
): Tensor[] {
  const stride = specs.reduce((sum, { size }) => sum + size, 0);
  const rows = new Float32Array(
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength),
  );
  if (rows.length !== count * stride)
    throw fail("ARTIFACT_MISMATCH", "The emulation answers other rows than its manifest says.");
  let offset = 0;
  return specs.map(({ name, shape, size }) => {
    const data = specs.length === 1 ? rows : new Float32Array(count * size);
    if (specs.length > 1) {
      for (let row = 0; row < count; row++) {
        const first = row * stride + offset;
        data.set(rows.subarray(first, first + size), row * size);
      }
    }
    offset += size;
    const batched = shape.map((each, axis) => (each >= 0 ? each : axis === 0 ? count : 1));
    return { name, datatype: "FP32", shape: batched, data };
  });
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array) =>
  new Uint8Array(buffer, byteOffset, byteLength);
