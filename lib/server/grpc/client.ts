import { Client, credentials, Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { type AppError, fail, isAppError } from "@/lib/common/errors";
import { cutText, showText } from "@/lib/common/text";
import { asIs, toBuffer } from "./bytes";

/** One call, and the bounds of its answer. */
export interface Call {
  /** `/package.Service/method`. */
  readonly path: string;
  readonly message: Uint8Array;
  /** Of the whole call. */
  readonly timeoutMs: number;
  /** Of one message of the answer. */
  readonly maxBytes: number;
  readonly maxMessages: number;
  readonly signal?: AbortSignal | undefined;
  readonly onMessage: (message: Uint8Array) => void;
  /** Sent before the message. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Hears what the server sends before its first message. */
  readonly onMetadata?: (value: (name: string) => string | undefined) => void;
  /** What the caller makes of a status other than OK; null: what is said below. */
  readonly refusalOf?: (ended: EndedCall) => AppError | null;
}

/** How a server ended a call that did not go well. */
export interface EndedCall {
  readonly code: number;
  readonly details: string;
  value(name: string): string | undefined;
}

/** A lost connection is made again after so long at first, and at most. */
const reconnectMs = { first: 100, most: 2_000 } as const;

/** Calls a gRPC server without TLS. It connects at the first call, and again when the connection is gone. */
export class GrpcClient {
  private readonly address: string;
  private readonly clients = new Map<number, Client>();

  /** @param address `host:port`. */
  constructor(address: string) {
    this.address = address;
  }

  /**
   * Makes a call with one answer.
   *
   * @throws {AppError} As `stream`; `UPSTREAM_MISMATCH` where there is no answer, or more than one.
   */
  async unary(call: Omit<Call, "onMessage" | "maxMessages">): Promise<Uint8Array> {
    const messages: Uint8Array[] = [];
    await this.stream({
      ...call,
      maxMessages: 1,
      onMessage: (message) => messages.push(message),
    });
    const [message] = messages;
    if (message) return message;
    throw fail("UPSTREAM_MISMATCH", `${this.address} ended the call without an answer.`);
  }

  /**
   * Makes a call whose answers come one by one; resolves when the server says that it went well.
   *
   * @throws {AppError} `LINK_FAILED` where nobody answers, breaks off or speaks no gRPC; `DEADLINE_EXCEEDED`, `CANCELLED`;
   *   `EXTENSION_UNSUPPORTED` for an unknown method; `BODY_TOO_LARGE`, `UPSTREAM_MISMATCH`; what `onMessage` throws.
   */
  async stream({ path, message, signal, onMessage, ...rest }: Call): Promise<void> {
    const { metadata = {}, onMetadata, refusalOf, ...bounds } = rest;
    if (signal?.aborted) throw givenUp();
    const deadline = Date.now() + bounds.timeoutMs;
    const call = this.clientFor(bounds.maxBytes).makeServerStreamRequest(
      path,
      toBuffer,
      asIs,
      message,
      metadataOf(metadata),
      { deadline },
    );
    if (onMetadata) call.on("metadata", (sent: Metadata) => onMetadata(readerOf(sent)));
    // Who stops listening in the middle is still told of the end.
    call.on("error", () => {});
    const cancel = () => call.cancel();
    signal?.addEventListener("abort", cancel, { once: true });
    let count = 0;
    try {
      for await (const answer of call) {
        if (++count > bounds.maxMessages)
          throw fail("UPSTREAM_MISMATCH", `${this.address} answers more than it was asked.`);
        onMessage(answer);
      }
    } catch (error) {
      if (signal?.aborted) throw givenUp();
      if (!isServiceError(error)) throw error;
      const { code, details } = error;
      const refusal = refusalOf?.({ code, details, value: readerOf(error.metadata) });
      throw refusal ?? this.told(error, bounds);
    } finally {
      signal?.removeEventListener("abort", cancel);
      call.cancel();
    }
  }

  close(): void {
    for (const client of this.clients.values()) client.close();
    this.clients.clear();
  }

  /** A bound of messages belongs to a connection; who has one bound has one connection. */
  private clientFor(maxBytes: number): Client {
    const known = this.clients.get(maxBytes);
    if (known) return known;
    const client = new Client(`dns:///${this.address}`, credentials.createInsecure(), {
      "grpc.max_receive_message_length": maxBytes,
      "grpc.initial_reconnect_backoff_ms": reconnectMs.first,
      "grpc.max_reconnect_backoff_ms": reconnectMs.most,
      "grpc.enable_http_proxy": 0,
      "grpc.enable_retries": 0,
      "grpc.service_config_disable_resolution": 1,
      "grpc.use_local_subchannel_pool": 1,
    });
    this.clients.set(maxBytes, client);
    return client;
  }

  private told({ code, details }: ServiceError, { timeoutMs, maxBytes }: Limits): AppError {
    const { address } = this;
    const words = showText(cutText(details, 300));
    if (code === status.CANCELLED)
      return fail("LINK_FAILED", `${address} broke off in the middle of its answer.`);
    if (code === status.DEADLINE_EXCEEDED)
      return fail(
        "DEADLINE_EXCEEDED",
        `${address} did not answer within ${seconds(timeoutMs)} s.`,
        {
          hint: "Look at the server's own log; it may wait for its board or its store.",
        },
      );
    if (code === status.UNIMPLEMENTED)
      return fail("EXTENSION_UNSUPPORTED", `${address} does not know this method.`, {
        hint: "Another kind of server answers there.",
      });
    if (code === status.RESOURCE_EXHAUSTED && /larger than max/.test(details))
      return fail("BODY_TOO_LARGE", `${address} answers with more than ${maxBytes} bytes.`);
    if (code === status.UNAVAILABLE)
      return fail("LINK_FAILED", `${address} does not answer: ${words}`, {
        hint: "Check that the server runs and speaks gRPC, and that its host and port are right.",
      });
    return fail("LINK_FAILED", `${address} ended the call with status ${code}: ${words}`);
  }
}

function metadataOf(values: Readonly<Record<string, string>>): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(values)) metadata.set(name, value);
  return metadata;
}

const readerOf = (metadata: Metadata) => (name: string) => metadata.get(name)[0]?.toString();

type Limits = Pick<Call, "timeoutMs" | "maxBytes">;

const givenUp = (): AppError => fail("CANCELLED", "The call was given up.");
const seconds = (ms: number): number => Math.round(ms / 100) / 10;

const isServiceError = (error: unknown): error is ServiceError =>
  error instanceof Error && !isAppError(error) && "code" in error && "details" in error;
