import {
  constants,
  createServer,
  type Http2Session,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from "node:http2";
import type { AddressInfo } from "node:net";
import { fail } from "@/lib/common/errors";
import { GrpcCall } from "./call";
import { checkEncoding, MessageReader, unpacked } from "./messages";

/** A call of one message each way. */
export interface UnaryCall {
  readonly call: GrpcCall;
  readonly request: Buffer;
}

/** A call whose messages come and go as they like. */
export interface StreamCall {
  readonly call: GrpcCall;
  onMessage(listener: (message: Buffer) => void): void;
  onEnd(listener: () => void): void;
  /** No message comes until `resume`. */
  pause(): void;
  resume(): void;
}

/** What answers a path. */
export type Method =
  | { readonly kind: "unary"; readonly answer: (call: UnaryCall) => void }
  | { readonly kind: "stream"; readonly answer: (call: StreamCall) => void };

export interface WireOptions {
  readonly host: string;
  readonly port: number;
  readonly maxMessageBytes: number;
  /** By path: `/package.Service/Method`. */
  readonly methods: ReadonlyMap<string, Method>;
}

export interface WireServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Running calls may take so long to end when the server leaves. */
const drainMs = 10_000;
const windowBytes = 4 * 2 ** 20;
const connectionWindowBytes = 16 * 2 ** 20;
const maxConnections = 8192;
const grpcType = /^application\/grpc($|[+;])/;

/** gRPC over HTTP/2 without TLS: framing, deadlines, packing, limits and statuses; messages stay bytes. */
export async function startWireServer(options: WireOptions): Promise<WireServer> {
  const sessions = new Map<Http2Session, string>();
  const server = createServer({
    settings: { maxConcurrentStreams: 1000, initialWindowSize: windowBytes },
    // What streams wait to send counts too, and an answer may be large.
    maxSessionMemory: 1024,
  });
  server.maxConnections = maxConnections;
  server.on("session", (session) => {
    const { remoteAddress = "", remotePort = 0 } = session.socket;
    sessions.set(session, `${remoteAddress}:${remotePort}`);
    session.setLocalWindowSize(connectionWindowBytes);
    session.on("error", () => {});
    session.on("close", () => sessions.delete(session));
  });
  server.on("sessionError", () => {});
  server.on("stream", (stream, headers) => {
    const peer = stream.session ? (sessions.get(stream.session) ?? "") : "";
    accept(stream, headers, { ...options, peer });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        const hurry = setTimeout(() => {
          for (const session of sessions.keys()) session.destroy();
        }, drainMs);
        server.close(() => {
          clearTimeout(hurry);
          resolve();
        });
        for (const session of sessions.keys()) session.close();
      }),
  };
}

function accept(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  { methods, maxMessageBytes, peer }: WireOptions & { readonly peer: string },
): void {
  const { HTTP2_HEADER_METHOD, HTTP2_HEADER_PATH } = constants;
  const isPost = headers[HTTP2_HEADER_METHOD] === "POST";
  if (!isPost || !grpcType.test(headers["content-type"] ?? "")) {
    refuse(stream, isPost ? 415 : 405);
    return;
  }
  const method = methods.get(String(headers[HTTP2_HEADER_PATH]));
  const call = new GrpcCall(stream, headers, { peer, endless: method?.kind === "stream" });
  const encoding = headers["grpc-encoding"] as string | undefined;
  try {
    if (!method) throw fail("EXTENSION_UNSUPPORTED", "there is no such method");
    checkEncoding(encoding);
  } catch (error) {
    call.fail(error);
    return;
  }
  const reading = { maxBytes: maxMessageBytes, encoding };
  if (method.kind === "unary") readUnary(stream, call, { ...reading, answer: method.answer });
  else method.answer(streamCall(stream, call, reading));
}

/** What is no gRPC at all is told in HTTP's words. */
function refuse(stream: ServerHttp2Stream, status: number): void {
  stream.on("error", () => {});
  stream.respond({ ":status": status }, { endStream: true });
  stream.resume();
}

interface Reading {
  readonly maxBytes: number;
  readonly encoding: string | undefined;
}

function readUnary(
  stream: ServerHttp2Stream,
  call: GrpcCall,
  { answer, ...reading }: Reading & { readonly answer: (call: UnaryCall) => void },
): void {
  let request: Buffer | Promise<Buffer> | null = null;
  let failed = false;
  const refuseWith = (error: unknown): void => {
    failed = true;
    call.fail(error);
  };
  const reader = new MessageReader({
    ...reading,
    onMessage(message) {
      if (request !== null) throw fail("INFER_INVALID", "the call has more than one message");
      request = unpacked(message, reading);
      if (request instanceof Promise) request.catch(() => {});
    },
  });
  stream.on("data", (chunk: Buffer) => {
    if (failed) return;
    try {
      reader.take(chunk);
    } catch (error) {
      refuseWith(error);
    }
  });
  stream.on("end", () => {
    if (failed) return;
    if (request === null || !reader.isWhole) {
      refuseWith(fail("INFER_INVALID", "the call has no whole message"));
    } else if (request instanceof Promise) {
      request.then((whole) => answer({ call, request: whole }), refuseWith);
    } else answer({ call, request });
  });
}

function streamCall(stream: ServerHttp2Stream, call: GrpcCall, reading: Reading): StreamCall {
  let onMessage = (_: Buffer): void => {};
  let onEnd = (): void => {};
  let failed = false;
  const refuseWith = (error: unknown): void => {
    if (failed) return;
    failed = true;
    call.life.end(error);
    call.fail(error);
  };
  /** Messages that must be unpacked keep their place in the row. */
  let last: Promise<void> | null = null;
  const hand = (message: Buffer | Promise<Buffer>): void => {
    if (last === null && !(message instanceof Promise)) {
      onMessage(message);
      return;
    }
    last = (last ?? Promise.resolve())
      .then(() => message)
      .then((whole) => {
        if (!failed) onMessage(whole);
      })
      .catch(refuseWith);
  };
  const reader = new MessageReader({
    ...reading,
    onMessage: (message) => hand(unpacked(message, reading)),
  });
  stream.on("data", (chunk: Buffer) => {
    if (failed) return;
    try {
      reader.take(chunk);
    } catch (error) {
      refuseWith(error);
    }
  });
  stream.on("end", () => {
    void (last ?? Promise.resolve()).then(() => {
      if (failed) return;
      if (reader.isWhole) onEnd();
      else refuseWith(fail("INFER_INVALID", "the last message is cut off"));
    });
  });
  return {
    call,
    onMessage(listener) {
      onMessage = listener;
    },
    onEnd(listener) {
      onEnd = listener;
    },
    pause: () => stream.pause(),
    resume: () => stream.resume(),
  };
}
