import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
} from "node:http2";
import { type AppError, errorCodes, fail, isAppError, systemCodeOf } from "@/lib/common/errors";
import { cutText, showText } from "@/lib/common/text";
import { framed, MessageCutter } from "./messages";

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
}

/** A server is expected to take a connection within this. */
const connectMs = 5_000;

/** Calls a gRPC server without TLS. It connects at the first call, and again when the connection is gone. */
export class GrpcClient {
  private readonly address: string;
  private session: ClientHttp2Session | null = null;

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
  async stream(call: Call): Promise<void> {
    const session = await this.connected(call.signal);
    await new Promise<void>((resolve, reject) => {
      const stream = session.request({
        ":method": "POST",
        ":path": call.path,
        "content-type": "application/grpc",
        te: "trailers",
        "grpc-timeout": `${Math.ceil(call.timeoutMs)}m`,
        "user-agent": "boardwalk",
      });
      const settle = settleOnce(stream, call, { resolve, reject, address: this.address });
      listen(stream, call, { address: this.address, settle });
      stream.end(framed(call.message));
    });
  }

  close(): void {
    this.session?.destroy();
    this.session = null;
  }

  private async connected(signal?: AbortSignal): Promise<ClientHttp2Session> {
    const before = this.session;
    if (before && !before.closed && !before.destroyed) return before;
    const session = connect(`http://${this.address}`, { settings: { enablePush: false } });
    this.session = session;
    session.on("error", () => session.destroy());
    session.on("goaway", () => session.close());
    session.unref();
    await new Promise<void>((resolve, reject) => {
      const failed = (cause: unknown) => {
        clearTimeout(timer);
        session.destroy();
        reject(unreachable(this.address, cause));
      };
      const timer = setTimeout(() => failed(null), connectMs);
      signal?.addEventListener("abort", failed, { once: true });
      session.once("error", failed);
      session.once("close", () => failed(null));
      session.once("connect", () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", failed);
        resolve();
      });
    });
    return session;
  }
}

type Settle = (error: AppError | null) => void;

/** Ends the call at its first end, and leaves no timer and no listener behind. */
function settleOnce(
  stream: ClientHttp2Stream,
  { timeoutMs, signal }: Call,
  {
    resolve,
    reject,
    address,
  }: { resolve: () => void; reject: (error: AppError) => void; address: string },
): Settle {
  const settle: Settle = (error) => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", cancel);
    if (error) {
      if (!stream.closed) stream.close(constants.NGHTTP2_CANCEL);
      reject(error);
    } else resolve();
  };
  const cancel = () => settle(fail("CANCELLED", "The call was given up."));
  const timer = setTimeout(() => {
    const seconds = Math.round(timeoutMs / 100) / 10;
    settle(
      fail("DEADLINE_EXCEEDED", `${address} did not answer within ${seconds} s.`, {
        hint: "Look at the server's own log; it may wait for its board or its store.",
      }),
    );
  }, timeoutMs);
  signal?.addEventListener("abort", cancel, { once: true });
  if (signal?.aborted) cancel();
  return settle;
}

function listen(
  stream: ClientHttp2Stream,
  { maxBytes, maxMessages, onMessage }: Call,
  { address, settle }: { readonly address: string; readonly settle: Settle },
): void {
  const cutter = new MessageCutter(maxBytes);
  let count = 0;
  let status: AppError | null | undefined;
  let fault: unknown = null;
  stream.on("response", (headers) => {
    if (headers[":status"] !== 200 || !isGrpc(headers)) status = noGrpc(address);
    else if (headers["grpc-status"] !== undefined) status = statusOf(headers, address);
  });
  stream.on("trailers", (headers) => {
    status ??= statusOf(headers, address);
  });
  stream.on("data", (piece: Buffer) => {
    if (fault !== null) return;
    try {
      for (const message of cutter.take(piece)) {
        if (++count > maxMessages)
          throw fail("UPSTREAM_MISMATCH", `${address} answers more than it was asked.`);
        onMessage(message);
      }
    } catch (error) {
      fault = error;
      settle(isAppError(error) ? error : unreadable(address, error));
    }
  });
  stream.on("error", (cause) => settle(unreachable(address, cause)));
  stream.on("close", () => {
    if (status) settle(status);
    else if (status === null && cutter.isWhole) settle(null);
    else settle(fail("LINK_FAILED", `${address} broke off in the middle of its answer.`));
  });
}

const isGrpc = (headers: IncomingHttpHeaders): boolean =>
  /^application\/grpc($|[+;])/.test(headers["content-type"] ?? "");

const noGrpc = (address: string): AppError =>
  fail("LINK_FAILED", `What answers at ${address} does not speak gRPC.`, {
    hint: "Give the host and the port of the gRPC server itself.",
  });

const unreadable = (address: string, cause: unknown): AppError =>
  fail("UPSTREAM_MISMATCH", `${address} answered with a message of another type.`, { cause });

function unreachable(address: string, cause: unknown): AppError {
  const code = systemCodeOf(cause);
  if (code?.startsWith("ERR_HTTP2") && code !== "ERR_HTTP2_STREAM_CANCEL") return noGrpc(address);
  return fail("LINK_FAILED", `${address} does not answer${code ? ` (${code})` : ""}.`, {
    cause,
    hint: "Check that the server runs, and that its host and port are right.",
  });
}

/** Null: it went well. */
function statusOf(headers: IncomingHttpHeaders, address: string): AppError | null {
  const status = Number(headers["grpc-status"]);
  if (status === 0 && headers["grpc-status"] !== undefined) return null;
  if (status === errorCodes.unimplemented.grpc)
    return fail("EXTENSION_UNSUPPORTED", `${address} does not know this method.`, {
      hint: "Another kind of server answers there.",
    });
  const words = showText(cutText(decoded(String(headers["grpc-message"] ?? "")), 300));
  return fail("LINK_FAILED", `${address} ended the call with status ${status}: ${words}`);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
