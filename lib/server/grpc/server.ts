import { once } from "node:events";
import { createServer } from "node:net";
import { Server, ServerCredentials, type ServerWritableStream } from "@grpc/grpc-js";
import { errorCodes, toAppError } from "@/lib/common/errors";
import { portOf } from "@/lib/server/http";
import { logger } from "@/lib/server/logger";
import { asIs, toBuffer } from "./bytes";
import { Callers } from "./callers";

/** A call as its method sees it. */
export interface ServedCall {
  readonly message: Uint8Array;
  /** Sends one answer. */
  send(message: Uint8Array): void;
  /** Aborted when the caller is gone, or the server leaves. */
  readonly signal: AbortSignal;
}

/** Answers a call; it ends well when this resolves, and with the status of what is thrown. */
export type Method = (call: ServedCall) => Promise<void>;

/** Where to listen, and which methods there are. */
export interface GrpcServerOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly maxMessageBytes: number;
  /** By path: `/package.Service/method`. */
  readonly methods: ReadonlyMap<string, Method>;
}

/** A running server. */
export interface GrpcServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Few callers are expected: one predictor, and people who try. */
const bounds = { connections: 64, streams: 16, idleMs: 600_000 } as const;

/**
 * Answers gRPC without TLS, for few callers that are trusted: the contracts that it is made for know no authentication.
 * Connections from this machine must be its owner's; others come only where `host` lets them.
 */
export async function startGrpcServer(options: GrpcServerOptions): Promise<GrpcServer> {
  const { host, port, maxMessageBytes, methods } = options;
  const grpc = new Server({
    "grpc.max_receive_message_length": maxMessageBytes,
    "grpc.max_concurrent_streams": bounds.streams,
    "grpc.max_connection_idle_ms": bounds.idleMs,
  });
  const leaving = new AbortController();
  const callers = new Callers();
  for (const [path, method] of methods)
    grpc.register(
      path,
      answerWith(method, callers, leaving.signal),
      toBuffer,
      asIs,
      "serverStream",
    );
  // The listener is ours: a guard has to see the connections, of which the library tells the address alone.
  const injector = grpc.createConnectionInjector(ServerCredentials.createInsecure());
  const listener = createServer((socket) => {
    callers.note(socket);
    injector.injectConnection(socket);
  });
  listener.maxConnections = bounds.connections;
  listener.listen(port, host);
  await once(listener, "listening");
  return {
    port: portOf(listener),
    async close() {
      leaving.abort();
      const closed = once(listener, "close");
      listener.close();
      grpc.forceShutdown();
      callers.destroy();
      await closed;
    },
  };
}

type GrpcCall = ServerWritableStream<Buffer, Uint8Array>;

const answerWith =
  (method: Method, callers: Callers, leaving: AbortSignal) =>
  async (call: GrpcCall): Promise<void> => {
    const gone = new AbortController();
    call.on("cancelled", () => gone.abort());
    try {
      await callers.requireOwner(call.getPeer());
      await method({
        message: call.request,
        send: (message) => call.write(message),
        signal: AbortSignal.any([gone.signal, leaving]),
      });
      call.end();
    } catch (thrown) {
      call.emit("error", statusOf(thrown));
    }
  };

/** What the library sends as the status of a call. */
function statusOf(thrown: unknown) {
  const error = toAppError(thrown);
  if (error.code === "internal") logger().error({ err: thrown }, "call failed");
  return { code: errorCodes[error.code].grpc, details: error.message.slice(0, 500) };
}
