import { fail } from "@/lib/common/errors";
import type { Datatype, TensorSpec } from "@/lib/common/tensor";
import { quoted } from "../../graph/words";
import { limits } from "./limits";
import { mapAt, messageAt, messagesAt, nameAt, numberAt } from "./wire";

/** What a served model takes and answers, under the names that it was saved with. */
export interface Signature {
  readonly name: string;
  readonly inputs: readonly TensorSpec[];
  readonly outputs: readonly TensorSpec[];
}

/** Element types by their number in `DataType`; those that can be served and held against the original. */
const datatypes: Readonly<Record<number, Datatype>> = {
  1: "FP32",
  2: "FP64",
  3: "INT32",
  4: "UINT8",
  5: "INT16",
  6: "INT8",
  9: "INT64",
  10: "BOOL",
  17: "UINT16",
  22: "UINT32",
  23: "UINT64",
};

/** Names of the others, for the refusal. */
const otherTypes: Readonly<Record<number, string>> = {
  7: "string",
  8: "complex64",
  14: "bfloat16",
  18: "complex128",
  19: "float16",
  20: "resource",
  21: "variant",
};

const preferred = "serving_default";
const method = "tensorflow/serving/predict";

/**
 * The signature to serve: `serving_default`, else the first by name that is made for serving.
 *
 * @param graph A `MetaGraphDef`.
 * @throws {AppError} `MODEL_UNSUPPORTED` naming the tensor; `MODEL_SHAPE_INVALID`.
 */
export function readSignature(graph: Uint8Array): Signature {
  const signatures = mapAt(graph, 5);
  const names = [...signatures.keys()].filter(
    (name) => !name.startsWith("__") && nameAt(signatures.get(name) ?? graph, 3) === method,
  );
  const name = names.includes(preferred) ? preferred : names.sort()[0];
  const signature = name === undefined ? undefined : signatures.get(name);
  if (name === undefined || signature === undefined) {
    throw fail("MODEL_UNSUPPORTED", "The SavedModel has no serving signature.", {
      hint: 'Save it with model.export(), or tf.saved_model.save(model, path, signatures={"serving_default": f}).',
    });
  }
  const inputs = tensorsOf(signature, 1, "Input");
  const outputs = tensorsOf(signature, 2, "Output");
  if (inputs.length === 0 || outputs.length === 0) {
    throw fail(
      "MODEL_UNSUPPORTED",
      `Signature ${quoted(name)} has no ${inputs.length === 0 ? "input" : "output"}.`,
    );
  }
  return { name, inputs, outputs };
}

/** In the order of their names: a file keeps maps in any. */
function tensorsOf(signature: Uint8Array, number: number, what: "Input" | "Output"): TensorSpec[] {
  const collator = new Intl.Collator("en", { numeric: true });
  return [...mapAt(signature, number)]
    .sort(([a], [b]) => collator.compare(a, b))
    .map(([name, info]) => readTensor(name, info, `${what} ${quoted(name)}`));
}

function readTensor(name: string, info: Uint8Array, where: string): TensorSpec {
  const type = numberAt(info, 2);
  const datatype = datatypes[type];
  if (name === "" || nameAt(info, 1) === "") {
    throw fail("MODEL_UNSUPPORTED", `${where} is no plain tensor.`, {
      hint: "Sparse and composite tensors cannot be served: take dense ones.",
    });
  }
  if (datatype === undefined) {
    throw fail(
      "MODEL_UNSUPPORTED",
      `${where} is of type ${otherTypes[type] ?? `number ${type}`}, which cannot be served from a SavedModel.`,
      { hint: "Give the signature numbers, such as float32, and prepare texts before." },
    );
  }
  const shape = messageAt(info, 3);
  const sizes = Array.from(messagesAt(shape, 2), (dimension) => numberAt(dimension, 1));
  if (numberAt(shape, 3) !== 0 || sizes.length > limits.rank) {
    throw fail("MODEL_SHAPE_INVALID", `${where} has no shape that is known.`, {
      hint: "Name its dimensions in the input signature; those that vary are None.",
    });
  }
  const row = sizes.reduce((product, size) => product * Math.max(1, size), 1);
  if (sizes.some((size) => size < -1 || size === 0) || row > limits.rowElements) {
    throw fail("MODEL_SHAPE_INVALID", `${where} has the shape [${sizes.join(", ")}].`);
  }
  return { name, datatype, shape: sizes };
}
