import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { fail } from "@/lib/common/errors";
import {
  type InferResponse,
  type OutputSelection,
  type Tensor,
  writeBlob,
} from "@/lib/common/tensor";
import { writeContents } from "./contents";

/**
 * Writes a `ModelInferResponse`: raw contents in the order of the outputs, or typed ones for a caller that wants them.
 *
 * @throws {AppError} `INFER_INVALID`
 */
export function encodeInfer(response: InferResponse, selection: OutputSelection): Uint8Array {
  return writeResponse(new BinaryWriter(), response, selection).finish();
}

/** A `ModelStreamInferResponse` that holds an answer. */
export function encodeStreamAnswer(
  response: InferResponse,
  selection: OutputSelection,
  isFinal: boolean,
): Uint8Array {
  const writer = new BinaryWriter().tag(2, WireType.LengthDelimited).fork();
  writeResponse(writer, response, selection);
  if (isFinal) {
    writer.tag(4, WireType.LengthDelimited).fork();
    writer.tag(1, WireType.LengthDelimited).string("triton_final_response");
    writer.tag(2, WireType.LengthDelimited).fork().tag(1, WireType.Varint).bool(true).join();
    writer.join();
  }
  return writer.join().finish();
}

/** A `ModelStreamInferResponse` that holds an error, with the names by which its caller knows the request. */
export function encodeStreamError(message: string, model: string, id: string): Uint8Array {
  const writer = new BinaryWriter();
  text(writer, 1, message);
  writer.tag(2, WireType.LengthDelimited).fork();
  text(writer, 1, model);
  text(writer, 3, id);
  return writer.join().finish();
}

function writeResponse(
  writer: BinaryWriter,
  { modelName, modelVersion, id, outputs }: InferResponse,
  selection: OutputSelection,
): BinaryWriter {
  text(writer, 1, modelName);
  text(writer, 2, modelVersion);
  text(writer, 3, id);
  const chosen = choose(outputs, selection, modelName);
  for (const tensor of chosen) writeOutput(writer, tensor, !selection.binaryOutput);
  if (selection.binaryOutput) {
    for (const { data } of chosen) writer.tag(6, WireType.LengthDelimited).bytes(writeBlob(data));
  }
  return writer;
}

function choose(
  outputs: readonly Tensor[],
  selection: OutputSelection,
  model: string,
): readonly Tensor[] {
  if (selection.outputs.length === 0) return outputs;
  return selection.outputs.map(({ name }) => {
    const tensor = outputs.find((output) => output.name === name);
    if (tensor) return tensor;
    throw fail("INFER_INVALID", `unexpected inference output '${name}' for model '${model}'`);
  });
}

function writeOutput(writer: BinaryWriter, tensor: Tensor, typed: boolean): void {
  writer.tag(5, WireType.LengthDelimited).fork();
  text(writer, 1, tensor.name);
  text(writer, 2, tensor.datatype);
  writer.tag(3, WireType.LengthDelimited).fork();
  for (const dimension of tensor.shape) writer.int64(dimension);
  writer.join();
  if (typed) {
    writer.tag(5, WireType.LengthDelimited).fork();
    writeContents(writer, tensor);
    writer.join();
  }
  writer.join();
}

function text(writer: BinaryWriter, number: number, value: string): void {
  if (value !== "") writer.tag(number, WireType.LengthDelimited).string(value);
}
