import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { type AppError, fail, isReason } from "@/lib/common/errors";
import {
  type InferRequest,
  type InferResponse,
  isDatatype,
  type ParameterValue,
  readBlob,
  type Tensor,
  writeBlob,
} from "@/lib/common/tensor";
import { inferHeaders } from "@/lib/server/board-protocol";
import { type EndedCall, GrpcClient } from "@/lib/server/grpc";

/** An answer of `ModelInfer`, with the split of its time where the server sent one. */
export interface GrpcAnswer {
  readonly response: InferResponse;
  /** JSON of `timingSchema`. */
  readonly timing: string | undefined;
}

/** How a call is made. */
interface InferOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** What the gateway knows the caller by, and whatever else it is told. */
  readonly metadata?: Readonly<Record<string, string>>;
}

const path = "/inference.GRPCInferenceService/ModelInfer";
/** As the gateway's own. */
const maxBytes = 64 << 20;

/** One client for each address; it connects at the first call. */
const clients = new Map<string, GrpcClient>();

/**
 * Makes one real `ModelInfer` call, tensors as raw bytes.
 *
 * @param address `host:port` of the gateway.
 * @throws {AppError} what the gateway says, by its own reason; `LINK_FAILED` where nobody answers.
 */
export async function inferOverGrpc(
  address: string,
  { model, version, request }: { model: string; version: string; request: InferRequest },
  { timeoutMs, signal, metadata }: InferOptions,
): Promise<GrpcAnswer> {
  const client = clients.get(address) ?? new GrpcClient(address);
  clients.set(address, client);
  let timing: string | undefined;
  const answer = await client.unary({
    path,
    message: writeRequest(model, version, request),
    timeoutMs,
    maxBytes,
    signal,
    metadata: { [inferHeaders.timing]: "1", ...metadata },
    onMetadata: (sent) => {
      timing = sent(inferHeaders.timing);
    },
    refusalOf,
  });
  return { response: readResponse(answer), timing };
}

/** The gateway names its reason in the trailers; what is no reason of ours was not said by it. */
function refusalOf({ details, value }: EndedCall): AppError | null {
  const reason = value("boardwalk-code") ?? "";
  return isReason(reason) ? fail(reason, details) : null;
}

const { LengthDelimited, Varint } = WireType;

function writeRequest(model: string, version: string, request: InferRequest): Uint8Array {
  const writer = new BinaryWriter();
  writer.tag(1, LengthDelimited).string(model);
  if (version !== "") writer.tag(2, LengthDelimited).string(version);
  if (request.id !== "") writer.tag(3, LengthDelimited).string(request.id);
  for (const [name, value] of request.parameters) writeParameter(writer, 4, name, value);
  for (const { name, datatype, shape } of request.inputs) {
    writer.tag(5, LengthDelimited).fork();
    writer.tag(1, LengthDelimited).string(name);
    writer.tag(2, LengthDelimited).string(datatype);
    writer.tag(3, LengthDelimited).fork();
    for (const size of shape) writer.int64(size);
    writer.join().join();
  }
  for (const { name, classification } of request.outputs) {
    writer.tag(6, LengthDelimited).fork();
    writer.tag(1, LengthDelimited).string(name);
    if (classification !== undefined) writeParameter(writer, 2, "classification", classification);
    writer.join();
  }
  for (const { data } of request.inputs) writer.tag(7, LengthDelimited).bytes(writeBlob(data));
  return writer.finish();
}

/** One entry of a map of parameters. */
function writeParameter(
  writer: BinaryWriter,
  field: number,
  name: string,
  value: ParameterValue,
): void {
  writer.tag(field, LengthDelimited).fork();
  writer.tag(1, LengthDelimited).string(name);
  writer.tag(2, LengthDelimited).fork();
  if (typeof value === "boolean") writer.tag(1, Varint).bool(value);
  else if (typeof value === "string") writer.tag(3, LengthDelimited).string(value);
  else if (typeof value === "bigint" || Number.isSafeInteger(value))
    writer.tag(2, Varint).int64(value.toString());
  else writer.tag(4, WireType.Bit64).double(value);
  writer.join().join();
}

interface OutputHead {
  name: string;
  datatype: string;
  shape: number[];
}

/** @throws {AppError} `UPSTREAM_MISMATCH` for what is no answer with raw contents. */
function readResponse(bytes: Uint8Array): InferResponse {
  const reader = new BinaryReader(bytes);
  const said = { modelName: "", modelVersion: "", id: "" };
  const heads: OutputHead[] = [];
  const blobs: Uint8Array[] = [];
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (field === 1) said.modelName = reader.string();
    else if (field === 2) said.modelVersion = reader.string();
    else if (field === 3) said.id = reader.string();
    else if (field === 5) heads.push(readHead(reader, reader.uint32()));
    else if (field === 6) blobs.push(reader.bytes());
    else reader.skip(type, field);
  }
  if (heads.length !== blobs.length) throw mismatch("its outputs are not raw");
  return { ...said, outputs: heads.map((head, at) => tensorOf(head, blobs[at])) };
}

function readHead(reader: BinaryReader, length: number): OutputHead {
  const head: OutputHead = { name: "", datatype: "", shape: [] };
  const end = reader.pos + length;
  while (reader.pos < end) {
    const [field, type] = reader.tag();
    if (field === 1) head.name = reader.string();
    else if (field === 2) head.datatype = reader.string();
    else if (field === 3 && type === LengthDelimited) {
      const shapeEnd = reader.uint32() + reader.pos;
      while (reader.pos < shapeEnd) head.shape.push(Number(reader.int64()));
    } else if (field === 3) head.shape.push(Number(reader.int64()));
    else reader.skip(type, field);
  }
  return head;
}

function tensorOf({ name, datatype, shape }: OutputHead, given: Uint8Array | undefined): Tensor {
  const blob = given ?? new Uint8Array();
  if (!isDatatype(datatype)) throw mismatch(`its output '${name}' has no datatype`);
  const count = shape.reduce((product, size) => product * size, 1);
  const data = readBlob(blob, { datatype, count, label: `output '${name}'` });
  return { name, datatype, shape, data };
}

const mismatch = (what: string): AppError =>
  fail("UPSTREAM_MISMATCH", `The gateway's answer over gRPC cannot be read: ${what}.`);
