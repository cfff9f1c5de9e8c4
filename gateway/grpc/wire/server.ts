import { type AddressInfo, createServer, type Socket } from "node:net";
import { fail } from "@/lib/common/errors";
import { logger } from "@/lib/server/logger";
import { GrpcCall } from "./call";
import { Http2Connection, type Http2Stream, writeHeaders } from "./http2";
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
const maxConnections = 8192;
const noGrpc = Buffer.from("This port speaks gRPC: POST, with content-type application/grpc.\n");
const grpcType = /^application\/grpc($|[+;])/;

/** gRPC over HTTP/2 without TLS: framing, deadlines, packing, limits and statuses; messages stay bytes. */
export async function startWireServer(options: WireOptions): Promise<WireServer> {
  const connections = new Set<Http2Connection>();
  const server = createServer((socket) => {
    const peer = peerOf(socket);
    const connection = new Http2Connection(socket, {
      onStream: (stream) => accept(stream, { ...options, peer }),
      onFault: (err) => logger().error({ err }, "a connection ended by a fault of ours"),
    });
    connections.add(connection);
    socket.on("close", () => connections.delete(connection));
  });
  server.maxConnections = maxConnections;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        const hurry = setTimeout(() => {
          for (const connection of connections) connection.destroy();
        }, drainMs);
        server.close(() => {
          clearTimeout(hurry);
          resolve();
        });
        for (const connection of connections) connection.leave();
      }),
  };
}

const peerOf = ({ remoteAddress = "", remotePort = 0 }: Socket) => `${remoteAddress}:${remotePort}`;

function accept(
  stream: Http2Stream,
  { methods, maxMessageBytes, peer }: WireOptions & { readonly peer: string },
): void {
  const { headers } = stream;
  const isPost = headers[":method"] === "POST";
  if (!isPost || !grpcType.test(headers["content-type"] ?? "")) {
    // What is no gRPC at all is told in HTTP's words.
    const head = writeHeaders([
      [":status", isPost ? "415" : "405"],
      ["content-type", "text/plain"],
    ]);
    stream.answer(head, [noGrpc], writeHeaders([["grpc-status", "12"]]));
    return;
  }
  const method = methods.get(headers[":path"] ?? "");
  const call = new GrpcCall(stream, { peer, endless: method?.kind === "stream" });
  const encoding = headers["grpc-encoding"];
  try {
    if (!method) throw fail("EXTENSION_UNSUPPORTED", "there is no such method");
    checkEncoding(encoding);
  } catch (error) {
    stream.listen({ onData() {}, onEnd() {}, onClose: () => call.onClose() });
    call.fail(error);
    return;
  }
  const reading = { maxBytes: maxMessageBytes, encoding };
  if (method.kind === "unary") readUnary(stream, call, { ...reading, answer: method.answer });
  else method.answer(streamCall(stream, call, reading));
}

interface Reading {
  readonly maxBytes: number;
  readonly encoding: string | undefined;
}

function readUnary(
  stream: Http2Stream,
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
  stream.listen({
    onData(piece) {
      if (failed) return;
      try {
        reader.take(piece);
      } catch (error) {
        refuseWith(error);
      }
    },
    onEnd() {
      if (failed) return;
      if (request === null || !reader.isWhole) {
        refuseWith(fail("INFER_INVALID", "the call has no whole message"));
      } else if (request instanceof Promise) {
        request.then((whole) => answer({ call, request: whole }), refuseWith);
      } else answer({ call, request });
    },
    onClose: () => call.onClose(),
  });
}

function streamCall(stream: Http2Stream, call: GrpcCall, reading: Reading): StreamCall {
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
  stream.listen({
    onData(piece) {
      if (failed) return;
      try {
        reader.take(piece);
      } catch (error) {
        refuseWith(error);
      }
    },
    onEnd() {
      void (last ?? Promise.resolve()).then(() => {
        if (failed) return;
        if (reader.isWhole) onEnd();
        else refuseWith(fail("INFER_INVALID", "the last message is cut off"));
      });
    },
    onClose: () => call.onClose(),
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
