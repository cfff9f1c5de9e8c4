import { createServer } from "node:net";
import { fail } from "@/lib/common/errors";
import type { ConnectionCap } from "@/lib/server/http";
import { clientOf, portOf } from "@/lib/server/http";
import { logger } from "@/lib/server/logger";
import type { ByteBudget, Reservation } from "../../intake";
import { type CallOptions, GrpcCall } from "./call";
import { type ConnectionCut, Http2Connection, type Http2Stream, writeHeaders } from "./http2";
import { checkEncoding, MessageReader, unpacked } from "./messages";
import { openStreamCall, type Reading, type StreamCall } from "./stream-call";

/** A call of one message each way. */
export interface UnaryCall {
  readonly call: GrpcCall;
  readonly request: Buffer;
  /** What the call holds in memory; it is closed when the call is over. */
  readonly reservation: Reservation;
}

/** What answers a path. */
export type Method =
  | { readonly kind: "unary"; readonly answer: (call: UnaryCall) => void }
  | { readonly kind: "stream"; readonly answer: (call: StreamCall) => void };

/** Where to listen, which methods there are, and what one client may take up. */
export interface WireOptions {
  readonly host: string;
  readonly port: number;
  readonly maxMessageBytes: number;
  /** Those above are closed at once. */
  readonly maxConnections: number;
  readonly budget: ByteBudget;
  readonly connections: ConnectionCap;
  /** By path: `/package.Service/Method`. */
  readonly methods: ReadonlyMap<string, Method>;
  /** A connection without a call for so long ends. */
  readonly idleMs?: number | undefined;
  /** Told of each connection and stream that we end on a client. */
  readonly onCut: (cause: ConnectionCut | "crowded" | "full") => void;
}

/** A running server; `close` lets calls end for a while. */
export interface WireServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Running calls may take so long to end when the server leaves. */
const drainMs = 10_000;
const noGrpc = Buffer.from("This port speaks gRPC: POST, with content-type application/grpc.\n");
const grpcType = /^application\/grpc($|[+;])/;

/** gRPC over HTTP/2 without TLS: framing, deadlines, packing, limits and statuses; messages stay bytes. */
export async function startWireServer(options: WireOptions): Promise<WireServer> {
  const connections = new Set<Http2Connection>();
  const server = createServer((socket) => {
    if (!options.connections.admit(socket)) {
      options.onCut("crowded");
      socket.destroy();
      return;
    }
    const client = clientOf(socket.remoteAddress);
    const events = {
      onStream: (stream: Http2Stream) => accept(stream, options, { client, socket }),
      onFault: (err: unknown) => logger().error({ err }, "a connection ended by a fault of ours"),
      onCut: options.onCut,
    };
    const connection = new Http2Connection(socket, events, options.idleMs);
    connections.add(connection);
    socket.on("close", () => connections.delete(connection));
  });
  server.maxConnections = options.maxConnections;
  server.on("drop", () => options.onCut("full"));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    port: portOf(server),
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

function accept(
  stream: Http2Stream,
  { methods, maxMessageBytes, budget }: WireOptions,
  { client, socket }: Pick<CallOptions, "client" | "socket">,
): void {
  const { headers } = stream;
  const isPost = headers[":method"] === "POST";
  if (!isPost || !grpcType.test(headers["content-type"] ?? "")) {
    // What is no gRPC at all is told in HTTP's words.
    const head = writeHeaders([
      [":status", isPost ? "415" : "405"],
      ...(isPost ? [] : [["allow", "POST"] as const]),
      ["content-type", "text/plain"],
    ]);
    stream.answer(head, [noGrpc], writeHeaders([["grpc-status", "12"]]));
    return;
  }
  const method = methods.get(headers[":path"] ?? "");
  const call = new GrpcCall(stream, { client, socket, endless: method?.kind === "stream" });
  const encoding = headers["grpc-encoding"];
  try {
    if (!method) throw fail("EXTENSION_UNSUPPORTED", "there is no such method");
    checkEncoding(encoding);
  } catch (error) {
    stream.listen({ onData() {}, onEnd() {}, onClose: () => call.onClose() });
    call.fail(error);
    return;
  }
  const open = (): Reservation => budget.open(client);
  const reading = { maxBytes: maxMessageBytes, encoding, open };
  if (method.kind === "unary") readUnary(stream, { call, reading, answer: method.answer });
  else method.answer(openStreamCall(stream, call, reading));
}

function readUnary(
  stream: Http2Stream,
  {
    call,
    reading,
    answer,
  }: {
    readonly call: GrpcCall;
    readonly reading: Reading;
    readonly answer: (call: UnaryCall) => void;
  },
): void {
  let request: Buffer | Promise<Buffer> | null = null;
  let failed = false;
  const reservation = reading.open();
  const refuseWith = (error: unknown): void => {
    failed = true;
    reservation.close();
    call.fail(error);
  };
  const reader = new MessageReader({
    maxBytes: reading.maxBytes,
    encoding: reading.encoding,
    open: () => reservation,
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
        request.then((whole) => answer({ call, request: whole, reservation }), refuseWith);
      } else answer({ call, request, reservation });
    },
    onClose() {
      reservation.close();
      call.onClose();
    },
  });
}
