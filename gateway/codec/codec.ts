import type { Transferable } from "node:worker_threads";
import {
  type BodyOptions,
  type InferRequest,
  type InferResponse,
  joinMessage,
  type OutputSelection,
  parseInferRequest,
  parseV1Request,
  readBlob,
  SlowText,
  type Tensor,
  type TensorData,
  type TensorSpec,
  type WireBody,
  writeInferBody,
  writeInferResponse,
  writeV1Response,
} from "@/lib/common/tensor";
import { startThread, type Thread } from "@/lib/server/process";
import { copyInSteps } from "../intake";
import { type CodecAnswers, type CodecRequest, pack, unpack } from "./codec-work";
import { type ContentsRequest, readContents, writeTypedContents } from "./contents";

/**
 * What is read or written where it comes, at most: the worst text takes a quarter of a microsecond a byte to read and a few
 * to write an element, so these are some hundredths of a second.
 */
const largeBytes = 256 * 1024;
const largeElements = 100_000;
/** What else may be in a large body that is read where it comes: the floats of one take some thousandths of a second. */
const patienceBytes = 64 * 1024;
/** What is written as a string: it is made in no time. */
const smallElements = 64;
/** Larger work has a thread of its own, so that the middling does not wait behind it. */
const hugeBytes = 4 * 1024 * 1024;

/** Reads and writes bodies; large ones in threads of their own, so that the event loop is never held up. */
export class Codec {
  private readonly threads = new Map<"large" | "huge", Thread>();

  parse(body: Uint8Array, options: BodyOptions): InferRequest | Promise<InferRequest> {
    const jsonBytes = Math.min(body.length, options.headerLength ?? body.length);
    if (jsonBytes <= largeBytes) return parseInferRequest(body, options);
    const quick = jsonBytes <= hugeBytes ? parseQuickly(body, options) : null;
    if (quick) return quick;
    const own = ownedOf(body);
    return this.run({ kind: "parse", body: own, options }, jsonBytes, [own]).then((parsed) => ({
      ...parsed,
      inputs: parsed.inputs.map(unpack),
    }));
  }

  parseV1(
    body: Uint8Array,
    specs: readonly TensorSpec[],
  ): readonly Tensor[] | Promise<readonly Tensor[]> {
    if (body.length <= largeBytes) return parseV1Request(body, specs);
    const own = ownedOf(body);
    return this.run({ kind: "parseV1", body: own, specs }, body.length, [own]).then((tensors) =>
      tensors.map(unpack),
    );
  }

  /** Reads the typed contents of a gRPC message. */
  contents(bytes: Uint8Array, request: ContentsRequest): TensorData | Promise<TensorData> {
    if (bytes.length <= largeBytes) return readContents(bytes, request);
    return this.contentsInThread(bytes, request);
  }

  private async contentsInThread(bytes: Uint8Array, request: ContentsRequest): Promise<TensorData> {
    const own = await copyInSteps([bytes]);
    const data = await this.run({ kind: "contents", bytes: own, request }, bytes.length, [own]);
    const isBlob = request.datatype === "BYTES" && data instanceof Uint8Array;
    return isBlob ? readBlob(data, request) : data;
  }

  write(response: InferResponse, selection: OutputSelection): WireBody | Promise<WireBody> {
    const { outputs, binaryOutput } = selection;
    const asJson = outputs.length > 0 ? outputs.some(({ binary }) => !binary) : !binaryOutput;
    const cost = asJson ? jsonCostOf(response.outputs) : 0;
    if (cost <= smallElements) return writeSmall(response, selection);
    if (cost <= largeElements) return writeInferBody(response, selection);
    const own = response.outputs.map(ownedTensor);
    const packed = { ...response, outputs: own };
    return this.run({ kind: "write", response: packed, selection }, cost, viewsOf(own));
  }

  writeV1(outputs: readonly Tensor[]): Uint8Array | Promise<Uint8Array> {
    const cost = costOf(outputs);
    if (cost <= largeElements) return writeV1Response(outputs);
    const own = outputs.map(ownedTensor);
    return this.run({ kind: "writeV1", outputs: own }, cost, viewsOf(own));
  }

  /** Writes a tensor as the typed contents of a gRPC message. */
  writeContents(tensor: Tensor): Uint8Array | Promise<Uint8Array> {
    const cost = costOf([tensor]);
    if (cost <= largeElements) return writeTypedContents(tensor);
    const own = ownedTensor(tensor);
    return this.run({ kind: "writeContents", tensor: own }, cost, viewsOf([own]));
  }

  async close(): Promise<void> {
    await Promise.all([...this.threads.values()].map((thread) => thread.close()));
  }

  private run<Kind extends CodecRequest["kind"]>(
    request: CodecRequest & { readonly kind: Kind },
    cost: number,
    views: readonly ArrayBufferView[],
  ): Promise<CodecAnswers[Kind]> {
    const lane = cost > hugeBytes ? "huge" : "large";
    let thread = this.threads.get(lane);
    if (!thread) {
      thread = startThread("gateway/codec/codec.thread");
      this.threads.set(lane, thread);
    }
    const transfer = new Set(views.map(({ buffer }) => buffer as Transferable));
    return thread.run<CodecAnswers[Kind]>(request, { transfer: [...transfer] });
  }
}

/** A request that is long lists of floats but for a little; null for any other. */
function parseQuickly(body: Uint8Array, options: BodyOptions): InferRequest | null {
  try {
    return parseInferRequest(body, { ...options, patienceBytes });
  } catch (error) {
    if (error instanceof SlowText) return null;
    throw error;
  }
}

/** A short text, which is sent as it is, together with the head of the answer. */
function writeSmall(response: InferResponse, selection: OutputSelection): WireBody {
  const message = writeInferResponse(response, selection);
  return message.blobs.length === 0
    ? { body: message.head, headerLength: null }
    : joinMessage(message);
}

/** Elements to write as V2's JSON: a float32 counts little, it takes some hundredths of a microsecond. */
function jsonCostOf(tensors: readonly Tensor[]): number {
  const isFloat = ({ datatype }: Tensor) => datatype === "FP32";
  const floats = costOf(tensors.filter(isFloat));
  return costOf(tensors) - 0.75 * floats;
}

/** Elements to write; a string counts by its bytes too. */
function costOf(tensors: readonly Tensor[]): number {
  let cost = 0;
  for (const { data } of tensors) {
    cost += data.length;
    if (!ArrayBuffer.isView(data)) for (const element of data) cost += element.length / 4;
  }
  return cost;
}

/** The bytes in a buffer that holds nothing else, so that it can be handed over. */
function ownedOf(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
}

/** A copy that can be handed over: answers that shared a call share their memory. */
function ownedTensor(tensor: Tensor): Tensor {
  const packed = pack(tensor);
  const data = packed.data as Uint8Array;
  return packed === tensor ? { ...tensor, data: data.slice() } : packed;
}

const viewsOf = (tensors: readonly Tensor[]): ArrayBufferView[] =>
  tensors.map(({ data }) => data as ArrayBufferView);
