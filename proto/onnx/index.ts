import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import {
  type AttributeSchema,
  type Model,
  ModelSchema,
  type Node,
  NodeSchema,
} from "./generated/onnx_pb";

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
 * @param keepUnknown Whether the fields that we do not read stay, so that encoding writes them again.
 * @throws {Error} of the decoder, when the bytes are no such message.
 */
export function decodeOnnxModel(bytes: Uint8Array, { keepUnknown = false } = {}): Model {
  return fromBinary(ModelSchema, bytes, { readUnknownFields: keepUnknown });
}

/** The bytes of an ONNX file with these fields. */
export function encodeOnnxModel(model: MessageInitShape<typeof ModelSchema>): Uint8Array {
  return toBinary(ModelSchema, create(ModelSchema, model));
}

/** A node, to be put into a model that was decoded. */
export function createOnnxNode(node: MessageInitShape<typeof NodeSchema>): Node {
  return create(NodeSchema, node);
}
