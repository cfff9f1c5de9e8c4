import { fail } from "@/lib/common/errors";
import type { OnnxTensor } from "@/proto/onnx";
import type { GraphConstant } from "../../graph/graph";
import { counted, quoted, sizeInWords } from "../../graph/words";
import { findDataType } from "./data-types";
import { elementReader } from "./elements";
import { limits } from "./limits";

/**
 * Checks a tensor against its own claims and makes a constant of it. `values` are read at first use, so that
 * inspecting a large model does not double it in memory.
 *
 * @returns null for elements that are no real numbers of ours: strings, complex numbers, 4-bit and 8-bit floats.
 * @throws {AppError} `MODEL_WEIGHT_INVALID`, `MODEL_WEIGHTS_NOT_FINITE` or `MODEL_TOO_COMPLEX`.
 */
export function readTensor(tensor: OnnxTensor, name: string): GraphConstant | null {
  const type = findDataType(tensor.dataType);
  if (type === null) {
    throw fail(
      "MODEL_WEIGHT_INVALID",
      `Weight ${quoted(name)} has element type ${tensor.dataType}, which ONNX does not define.`,
    );
  }
  const elements = elementsOf(tensor, name);
  if (type.bits === 0) return null;

  const read = elementReader(tensor);
  const claimed = (elements * BigInt(type.bits) + 7n) / 8n;
  const stored = storedBytes(tensor, type.bits);
  if (claimed !== stored) throw sizeMismatch(name, claimed, stored);
  if (read === null || type.datatype === null) return null;

  const shape = tensor.dims.map(Number);
  const count = Number(elements);
  if (/^(float|double|bfloat)/.test(type.name)) checkFinite({ name, shape, count, read });
  let values: Float64Array | undefined;
  return {
    name,
    datatype: type.datatype,
    shape,
    get values(): Float64Array {
      values ??= Float64Array.from({ length: count }, (_, index) => read(index));
      return values;
    },
  };
}

/** Multiplied without rounding: dimensions come from outside and their product may pass 2^64. */
function elementsOf({ dims }: OnnxTensor, name: string): bigint {
  if (dims.length > limits.rank) {
    throw fail("MODEL_TOO_COMPLEX", `Weight ${quoted(name)} has ${dims.length} dimensions.`);
  }
  const negative = dims.find((dimension) => dimension < 0n);
  if (negative !== undefined) {
    throw fail(
      "MODEL_WEIGHT_INVALID",
      `Weight ${quoted(name)} has a negative dimension, ${negative}.`,
    );
  }
  return dims.reduce((product, dimension) => product * dimension, 1n);
}

function storedBytes(tensor: OnnxTensor, bits: number): bigint {
  if (tensor.rawData.length > 0) return BigInt(tensor.rawData.length);
  const perElement = BigInt(bits) / 8n;
  // Complex numbers are listed as two reals, elements below a byte packed into int32.
  const listed = [
    [tensor.floatData.length, 4n],
    [tensor.doubleData.length, 8n],
    [tensor.int64Data.length, 8n],
    [tensor.uint64Data.length, perElement],
    [tensor.int32Data.length, perElement === 0n ? 1n : perElement],
  ] as const;
  return listed.reduce((sum, [count, bytes]) => sum + BigInt(count) * bytes, 0n);
}

function sizeMismatch(name: string, claimed: bigint, stored: bigint) {
  const hint = "The file was damaged or written by a faulty exporter; export it again.";
  const has = `${stored} of ${claimed} bytes`;
  if (claimed >= 1024n * 1024n * 1024n) {
    return fail(
      "MODEL_WEIGHT_INVALID",
      `Weight ${quoted(name)} claims ${sizeInWords(claimed)} and has ${sizeInWords(stored)}.`,
      { hint },
    );
  }
  const message =
    stored < claimed
      ? `Weight ${quoted(name)} has ${has}.`
      : `Weight ${quoted(name)} stores ${stored} bytes where its shape needs ${claimed}.`;
  return fail("MODEL_WEIGHT_INVALID", message, { hint });
}

/** A single infinite number is a bound, as of Clip; infinite ones among many, or NaN, are a training that diverged. */
function checkFinite(tensor: {
  name: string;
  shape: readonly number[];
  count: number;
  read: (index: number) => number;
}): void {
  const { name, shape, count, read } = tensor;
  let nans = 0;
  let infinities = 0;
  let first = -1;
  for (let index = 0; index < count; index += 1) {
    const value = read(index);
    if (Number.isFinite(value)) continue;
    if (Number.isNaN(value)) nans += 1;
    else infinities += 1;
    if (first < 0) first = index;
  }
  if (first < 0 || (count === 1 && nans === 0)) return;
  const found = [
    nans > 0 ? `${nans} NaN` : "",
    infinities > 0 ? counted(infinities, "infinite value") : "",
  ].filter((part) => part !== "");
  throw fail(
    "MODEL_WEIGHTS_NOT_FINITE",
    `Weight ${quoted(name)} has ${found.join(" and ")} (first at [${indexOf(first, shape)}]).`,
    { hint: "Training probably diverged: check the loss, then train and export again." },
  );
}

function indexOf(flat: number, shape: readonly number[]): string {
  const index: number[] = [];
  let rest = flat;
  for (const dimension of shape.toReversed()) {
    index.unshift(rest % dimension);
    rest = Math.floor(rest / dimension);
  }
  return index.join(",");
}
