import type { Transferable } from "node:worker_threads";
import {
  type BodyOptions,
  type InferRequest,
  type InferResponse,
  type OutputSelection,
  parseInferRequest,
  type WireMessage,
  writeInferResponse,
} from "@/lib/common/tensor";
import { startThread, type Thread } from "@/lib/server/process";

/** JSON is read at about 300 bytes a microsecond and written at 10 numbers: beyond these it would hold up other requests. */
const largeJsonBytes = 4 * 1024 * 1024;
const largeElements = 200_000;

/** What the codec's thread is asked. */
export type CodecRequest =
  | { readonly kind: "parse"; readonly body: Uint8Array; readonly options: BodyOptions }
  | {
      readonly kind: "write";
      readonly response: InferResponse;
      readonly selection: OutputSelection;
    };

/** Reads and writes bodies; large JSON in a thread of its own, so that the event loop is never held up. */
export class Codec {
  private thread: Thread | null = null;

  async parse(body: Uint8Array, options: BodyOptions): Promise<InferRequest> {
    const jsonBytes = Math.min(body.length, options.headerLength ?? body.length);
    if (jsonBytes <= largeJsonBytes) return parseInferRequest(body, options);
    const own = body.byteLength === body.buffer.byteLength ? body : body.slice();
    return (await this.run({ kind: "parse", body: own, options }, [
      own.buffer as ArrayBuffer,
    ])) as InferRequest;
  }

  async write(response: InferResponse, selection: OutputSelection): Promise<WireMessage> {
    const { outputs, binaryOutput } = selection;
    const asJson = outputs.length > 0 ? outputs.some(({ binary }) => !binary) : !binaryOutput;
    const elements = response.outputs.reduce((sum, { data }) => sum + data.length, 0);
    if (!asJson || elements <= largeElements) return writeInferResponse(response, selection);
    return (await this.run({ kind: "write", response, selection })) as WireMessage;
  }

  async close(): Promise<void> {
    await this.thread?.close();
  }

  private run(request: CodecRequest, transfer: readonly Transferable[] = []): Promise<unknown> {
    this.thread ??= startThread("gateway/http/codec.thread");
    return this.thread.run(request, { transfer });
  }
}
