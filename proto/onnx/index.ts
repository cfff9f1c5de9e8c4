import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { type AttributeSchema, type Model, ModelSchema } from "./generated/onnx_pb";

export type OnnxAttributeInit = MessageInitShape<typeof AttributeSchema>;

export type {
  Graph as OnnxGraph,
  Model as OnnxModel,
  Node as OnnxNode,
  Tensor as OnnxTensor,
  ValueInfo as OnnxValueInfo,
} from "./generated/onnx_pb";

/**
 * Decodes the fields of an ONNX file that we read. Raw weights stay views into `bytes`.
 * Decoding recurses and allocates as the file says, so bounds are checked on the wire format before.
 *
 * @throws {Error} of the decoder, when the bytes are no such message.
 */
export function decodeOnnxModel(bytes: Uint8Array): Model {
  return fromBinary(ModelSchema, bytes, { readUnknownFields: false });
}

/** The bytes of an ONNX file with these fields. */
export function encodeOnnxModel(model: MessageInitShape<typeof ModelSchema>): Uint8Array {
  return toBinary(ModelSchema, create(ModelSchema, model));
}
