import { fail } from "@/lib/common/errors";
import type { Datatype, TensorSpec } from "@/lib/common/tensor";
import type { OnnxValueInfo } from "@/proto/onnx";
import { quoted } from "../../graph/words";
import { findDataType } from "./data-types";
import { limits } from "./limits";

const kinds: Readonly<Record<string, string>> = {
  sequenceType: "a sequence",
  mapType: "a map",
  sparseTensorType: "a sparse tensor",
  optionalType: "an optional value",
};

/** What the file declares of a value; `shape` is null where even the rank is open. */
export interface DeclaredValue {
  readonly name: string;
  readonly datatype: Datatype;
  readonly shape: readonly number[] | null;
}

/**
 * Reads an input or output of the model.
 *
 * @throws {AppError} `MODEL_UNSUPPORTED` where no tensor of the inference protocol can carry it.
 */
export function readValue(info: OnnxValueInfo, role: "Input" | "Output"): DeclaredValue {
  const type = info.type?.value;
  if (type?.case !== "tensorType") {
    const what = kinds[type?.case ?? ""] ?? "of no declared type";
    throw fail("MODEL_UNSUPPORTED", `${role} ${quoted(info.name)} is ${what}, not a tensor.`, {
      hint: 'Export with plain tensors; for scikit-learn: options={"zipmap": False}.',
    });
  }
  const element = findDataType(type.value.elemType);
  if (!element?.datatype) {
    const name = element?.name ?? `number ${type.value.elemType}`;
    throw fail(
      "MODEL_UNSUPPORTED",
      `${role} ${quoted(info.name)} has element type ${name}, which the inference protocol does not carry.`,
    );
  }
  return { name: info.name, datatype: element.datatype, shape: shapeOf(info) };
}

/** Declared dimensions, −1 where free or named; null where the file declares no shape. */
export function shapeOf(info: OnnxValueInfo): number[] | null {
  const type = info.type?.value;
  if (type?.case !== "tensorType" || type.value.shape === undefined) return null;
  const dimensions = type.value.shape.dim.map(({ value }) =>
    value.case === "dimValue" ? value.value : -1n,
  );
  if (dimensions.length > limits.rank) {
    throw fail(
      "MODEL_TOO_COMPLEX",
      `Value ${quoted(info.name)} has ${dimensions.length} dimensions.`,
    );
  }
  if (dimensions.some((dimension) => dimension < -1n)) {
    throw fail("MODEL_SHAPE_INVALID", `Value ${quoted(info.name)} has a negative dimension.`);
  }
  return dimensions.map(Number);
}

/** An input that can be fed: its rank is known, no dimension is 0, and one row fits into a tensor. */
export function checkInput({ name, datatype, shape }: DeclaredValue): TensorSpec {
  if (shape === null) return { name, datatype, shape: [-1] };
  if (shape.includes(0)) {
    throw fail(
      "MODEL_SHAPE_INVALID",
      `Input ${quoted(name)} has a dimension of size 0: there is nothing to compute.`,
      { hint: "Check the example input that the model was exported with." },
    );
  }
  const row = shape.reduce((product, dimension) => product * BigInt(Math.abs(dimension)), 1n);
  if (row > BigInt(limits.rowElements)) {
    throw fail(
      "MODEL_TOO_COMPLEX",
      `Input ${quoted(name)} takes ${row.toLocaleString("en")} values per row; at most ${limits.rowElements.toLocaleString("en")} fit into a tensor.`,
    );
  }
  return { name, datatype, shape };
}
