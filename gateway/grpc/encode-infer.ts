import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { fail } from "@/lib/common/errors";
import {
  type InferResponse,
  type OutputSelection,
  type Tensor,
  writeBlob,
} from "@/lib/common/tensor";

/** How typed contents are written: at once, or elsewhere where there are many. */
type WriteContents = (tensor: Tensor) => Uint8Array | Promise<Uint8Array>;

/**
 * Writes a `ModelInferResponse`: raw contents in the order of the outputs, or typed ones for a caller that wants them.
 *
 * @throws {AppError} `INFER_INVALID`
 */
export function encodeInfer(
  response: InferResponse,
  selection: OutputSelection,
  write: WriteContents,
): Uint8Array | Promise<Uint8Array> {
  return whenWritten(response, selection, write, (written) =>
    writeResponse(new BinaryWriter(), response, written).finish(),
  );
}

/** A `ModelStreamInferResponse` that holds an answer. */
export function encodeStreamAnswer(
  response: InferResponse,
  selection: OutputSelection,
  { isFinal, write }: { readonly isFinal: boolean; readonly write: WriteContents },
): Uint8Array | Promise<Uint8Array> {
  return whenWritten(response, selection, write, (written) => {
    const writer = new BinaryWriter().tag(2, WireType.LengthDelimited).fork();
    writeResponse(writer, response, written);
    if (isFinal) {
      writer.tag(4, WireType.LengthDelimited).fork();
      writer.tag(1, WireType.LengthDelimited).string("triton_final_response");
      writer.tag(2, WireType.LengthDelimited).fork().tag(1, WireType.Varint).bool(true).join();
      writer.join();
    }
    return writer.join().finish();
  });
}

/** An output that was asked for, and its typed contents; null: it goes raw. */
interface Written {
  readonly tensor: Tensor;
  readonly contents: Uint8Array | null;
}

function whenWritten(
  { outputs, modelName }: InferResponse,
  selection: OutputSelection,
  write: WriteContents,
  encode: (written: readonly Written[]) => Uint8Array,
): Uint8Array | Promise<Uint8Array> {
  const chosen = choose(outputs, selection, modelName);
  if (selection.binaryOutput) return encode(chosen.map((tensor) => ({ tensor, contents: null })));
  const whole = (contents: readonly Uint8Array[]) =>
    encode(chosen.map((tensor, i) => ({ tensor, contents: contents[i] ?? null })));
  const contents = chosen.map(write);
  return contents.every(isDone) ? whole(contents) : Promise.all(contents).then(whole);
}

function isDone(contents: Uint8Array | Promise<Uint8Array>): contents is Uint8Array {
  return !(contents instanceof Promise);
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
  { modelName, modelVersion, id }: InferResponse,
  written: readonly Written[],
): BinaryWriter {
  text(writer, 1, modelName);
  text(writer, 2, modelVersion);
  text(writer, 3, id);
  for (const each of written) writeOutput(writer, each);
  for (const { tensor, contents } of written) {
    if (contents === null) writer.tag(6, WireType.LengthDelimited).bytes(writeBlob(tensor.data));
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

function writeOutput(writer: BinaryWriter, { tensor, contents }: Written): void {
  writer.tag(5, WireType.LengthDelimited).fork();
  text(writer, 1, tensor.name);
  text(writer, 2, tensor.datatype);
  writer.tag(3, WireType.LengthDelimited).fork();
  for (const dimension of tensor.shape) writer.int64(dimension);
  writer.join();
  if (contents !== null) writer.tag(5, WireType.LengthDelimited).bytes(contents);
  writer.join();
}

function text(writer: BinaryWriter, number: number, value: string): void {
  if (value !== "") writer.tag(number, WireType.LengthDelimited).string(value);
}
