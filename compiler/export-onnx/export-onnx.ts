import { elementwiseAttributes } from "@/lib/common/elementwise";
import { fail } from "@/lib/common/errors";
import type { TensorSpec } from "@/lib/common/tensor";
import { encodeOnnxModel, type OnnxAttributeInit } from "@/proto/onnx";
import type { Attribute, Graph, GraphConstant } from "../graph/graph";

/** Numbers of element types that imports make. */
const elementTypes: Readonly<Record<string, number>> = {
  FP32: 1,
  UINT8: 2,
  INT8: 3,
  UINT16: 4,
  INT16: 5,
  INT32: 6,
  INT64: 7,
  BOOL: 9,
};

/** Attributes that are floats even where their value is whole; all other numbers are integers. */
const floats: ReadonlySet<string> = new Set([
  ...elementwiseAttributes,
  // Gemm has these two whatever the functions of single values have.
  "alpha",
  "beta",
  // All others.
  "epsilon",
  "activation_alpha",
  "activation_beta",
  "base_values",
  "class_weights",
  "nodes_values",
  "offset",
  "scale",
  "target_weights",
]);

/** The domain of tree ensembles. */
const mlDomain = "ai.onnx.ml";

const text = new TextEncoder();

/**
 * Writes a graph as an ONNX file, IR version 8. Equal graphs give equal bytes.
 *
 * @throws {AppError} `MODEL_UNSUPPORTED` for element types that no front end of ours makes.
 */
export function exportOnnx(graph: Graph): Uint8Array {
  const { nodes, constants, inputs, outputs, opset } = graph;
  return encodeOnnxModel({
    irVersion: 8n,
    producerName: "boardwalk",
    opsetImport: [
      { version: BigInt(opset) },
      ...(nodes.some(({ domain }) => domain === mlDomain)
        ? [{ domain: mlDomain, version: 3n }]
        : []),
    ],
    graph: {
      name: "model",
      input: inputs.map(infoOf),
      output: outputs.map(infoOf),
      initializer: [...constants.values()].map(tensorOf),
      node: nodes.map(({ name, operator, domain, attributes, ...node }) => ({
        name,
        domain,
        opType: operator,
        input: [...node.inputs],
        output: [...node.outputs],
        attribute: Object.entries(attributes).map(([key, value]) => attributeOf(key, value)),
      })),
    },
  });
}

function elementType(datatype: string, name: string): number {
  const type = elementTypes[datatype];
  if (type !== undefined) return type;
  throw fail("MODEL_UNSUPPORTED", `Value \`${name}\` of type ${datatype} cannot be exported.`);
}

function infoOf({ name, datatype, shape }: TensorSpec) {
  const dim = shape.map((size, axis) =>
    size < 0
      ? { value: { case: "dimParam" as const, value: axis === 0 ? "batch" : `${name}_${axis}` } }
      : { value: { case: "dimValue" as const, value: BigInt(size) } },
  );
  const value = { elemType: elementType(datatype, name), shape: { dim } };
  return { name, type: { value: { case: "tensorType" as const, value } } };
}

/** How numbers of a type are written, and their bytes. */
const writers: Readonly<
  Record<
    string,
    { readonly bytes: number; readonly write: (view: DataView, at: number, value: number) => void }
  >
> = {
  FP32: { bytes: 4, write: (view, at, value) => view.setFloat32(at, value, true) },
  INT64: { bytes: 8, write: (view, at, value) => view.setBigInt64(at, BigInt(value), true) },
  INT32: { bytes: 4, write: (view, at, value) => view.setInt32(at, value, true) },
  INT16: { bytes: 2, write: (view, at, value) => view.setInt16(at, value, true) },
  UINT16: { bytes: 2, write: (view, at, value) => view.setUint16(at, value, true) },
  INT8: { bytes: 1, write: (view, at, value) => view.setInt8(at, value) },
  UINT8: { bytes: 1, write: (view, at, value) => view.setUint8(at, value) },
};

/** Raw bytes are little-endian, whatever the machine. */
function tensorOf({ name, datatype, shape, values }: GraphConstant) {
  const writer = writers[datatype];
  if (!writer) throw fail("MODEL_UNSUPPORTED", `Weight \`${name}\` is ${datatype}.`);
  const { bytes, write } = writer;
  const rawData = new Uint8Array(values.length * bytes);
  const view = new DataView(rawData.buffer);
  for (const [index, value] of values.entries()) write(view, index * bytes, value);
  return { name, dataType: elementType(datatype, name), dims: shape.map(BigInt), rawData };
}

function attributeOf(name: string, value: Attribute): OnnxAttributeInit {
  if (typeof value === "string") return { name, type: 3, s: text.encode(value) };
  if (typeof value === "number") {
    return floats.has(name) ? { name, type: 1, f: value } : { name, type: 2, i: BigInt(value) };
  }
  if ("values" in value && "datatype" in value) return { name, type: 4, t: tensorOf(value) };
  const texts = value.filter((each) => typeof each === "string");
  if (texts.length > 0) return { name, type: 8, strings: texts.map((each) => text.encode(each)) };
  const numbers = value.filter((each) => typeof each === "number");
  return floats.has(name)
    ? { name, type: 6, floats: numbers }
    : { name, type: 7, ints: numbers.map(BigInt) };
}
