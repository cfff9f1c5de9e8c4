import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import type { Datatype } from "@/lib/common/tensor";
import { type GraphSchema, ModelSchema } from "@/proto/onnx/generated/onnx_pb";

type GraphInit = MessageInitShape<typeof GraphSchema>;

/** ONNX's number of a datatype. */
export const onnxDatatypes: Readonly<Record<Datatype, number>> = {
  FP32: 1,
  UINT8: 2,
  INT8: 3,
  UINT16: 4,
  INT16: 5,
  INT32: 6,
  INT64: 7,
  BYTES: 8,
  BOOL: 9,
  FP16: 10,
  FP64: 11,
  UINT32: 12,
  UINT64: 13,
  BF16: 16,
};

/** A tensor of a graph's signature; -1 is the batch. */
export interface Signature {
  readonly name: string;
  readonly datatype: Datatype;
  readonly shape: readonly number[];
}

/** A file with the signature that it has. */
export interface OnnxFixture {
  readonly bytes: Uint8Array;
  readonly inputs: readonly Signature[];
  readonly outputs: readonly Signature[];
}

/** The bytes of an ONNX file, opset 17. */
export function onnxFile(
  inputs: readonly Signature[],
  outputs: readonly Signature[],
  graph: Pick<GraphInit, "node" | "initializer">,
): Uint8Array {
  return toBinary(
    ModelSchema,
    create(ModelSchema, {
      irVersion: 8n,
      opsetImport: [{ version: 17n }],
      graph: { ...graph, input: inputs.map(valueInfo), output: outputs.map(valueInfo) },
    }),
  );
}

function valueInfo({ name, datatype, shape }: Signature) {
  const dim = shape.map((size, axis) => ({
    value:
      size < 0
        ? { case: "dimParam" as const, value: axis === 0 ? "batch" : `free${axis}` }
        : { case: "dimValue" as const, value: BigInt(size) },
  }));
  const tensor = { elemType: onnxDatatypes[datatype], shape: { dim } };
  return { name, type: { value: { case: "tensorType" as const, value: tensor } } };
}

/**
 * Layers of weights without activations; `sizes` are inputs, then the outputs of every layer.
 *
 * @param weightOf The weights of each layer, row by row: a row for each input.
 */
export function denseOnnx(
  sizes: readonly number[],
  weightOf: (i: number) => number = (i) => ((i * 37) % 101) / 50 - 1,
): Uint8Array {
  const layers = sizes.slice(1).map((outputs, layer) => {
    const inputs = sizes[layer] ?? 1;
    return {
      node: {
        opType: "MatMul",
        name: `layer${layer}`,
        input: [`v${layer}`, `w${layer}`],
        output: [`v${layer + 1}`],
      },
      initializer: {
        name: `w${layer}`,
        dataType: onnxDatatypes.FP32,
        dims: [BigInt(inputs), BigInt(outputs)],
        floatData: Array.from({ length: inputs * outputs }, (_, i) => weightOf(i)),
      },
    };
  });
  const last = sizes.length - 1;
  return onnxFile(
    [{ name: "v0", datatype: "FP32", shape: [-1, sizes[0] ?? 1] }],
    [{ name: `v${last}`, datatype: "FP32", shape: [-1, sizes[last] ?? 1] }],
    {
      node: layers.map(({ node }) => node),
      initializer: layers.map(({ initializer }) => initializer),
    },
  );
}

/** Answers its input as it is. */
export function identityOnnx(datatype: Datatype, shape: readonly number[]): Uint8Array {
  return onnxFile([{ name: "x", datatype, shape }], [{ name: "y", datatype, shape }], {
    node: [{ opType: "Identity", name: "same", input: ["x"], output: ["y"] }],
    initializer: [],
  });
}
