import {
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import { type AppError, errorCodes, fail, toAppError } from "@/lib/common/errors";
import { notOwner, OwnerGuard, portOf } from "@/lib/server/http";
import { logger } from "@/lib/server/logger";
import { framed, MessageCutter } from "./messages";

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
const bounds = { sessions: 64, streams: 16, requestMs: 30_000, idleMs: 600_000 } as const;

/**
 * Answers gRPC without TLS, for few callers that are trusted: the contracts that it is made for know no authentication.
 * Connections from this machine must be its owner's; others come only where `host` lets them.
 */
export async function startGrpcServer(options: GrpcServerOptions): Promise<GrpcServer> {
  const owner = new OwnerGuard();
  const sessions = new Set<ServerHttp2Session>();
  const leaving = new AbortController();
  const server = createServer({ settings: { maxConcurrentStreams: bounds.streams } });
  server.on("session", (session) => {
    if (sessions.size >= bounds.sessions) {
      session.destroy();
      return;
    }
    sessions.add(session);
    session.on("error", () => session.destroy());
    session.on("close", () => sessions.delete(session));
    session.setTimeout(bounds.idleMs, () => session.close());
  });
  server.on("sessionError", () => {});
  server.on("stream", (stream, headers) => {
    stream.on("error", () => {});
    void answer(stream, headers, { ...options, owner, leaving: leaving.signal });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    port: portOf(server),
    close: () =>
      new Promise((resolve) => {
        leaving.abort();
        server.close(() => resolve());
        for (const session of sessions) session.destroy();
      }),
  };
}

async function answer(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  {
    methods,
    maxMessageBytes,
    owner,
    leaving,
  }: GrpcServerOptions & { readonly owner: OwnerGuard; readonly leaving: AbortSignal },
): Promise<void> {
  const gone = new AbortController();
  stream.on("close", () => gone.abort());
  try {
    const method = methods.get(headers[":path"] ?? "");
    if (!method) throw fail("EXTENSION_UNSUPPORTED", "Method not found!");
    await requireOwner(stream, headers, owner);
    const message = await readMessage(stream, maxMessageBytes);
    stream.respond(
      { ":status": 200, "content-type": "application/grpc" },
      { waitForTrailers: true },
    );
    let error: AppError | null = null;
    stream.once("wantTrailers", () => stream.sendTrailers(statusHeaders(error)));
    await method({
      message,
      send: (each) => {
        if (stream.writable) stream.write(framed(each));
      },
      signal: AbortSignal.any([gone.signal, leaving]),
    }).catch((thrown: unknown) => {
      error = told(thrown);
    });
    stream.end();
  } catch (thrown) {
    if (stream.destroyed || stream.headersSent) return;
    const head = { ":status": 200, "content-type": "application/grpc" };
    stream.respond({ ...head, ...statusHeaders(told(thrown)) }, { endStream: true });
  }
}

/** Whoever calls from this machine is its owner, or is refused; of other machines nothing is known, and `host` lets them in. */
async function requireOwner(
  { session }: ServerHttp2Stream,
  { authorization }: IncomingHttpHeaders,
  owner: OwnerGuard,
): Promise<void> {
  const socket = session?.socket;
  if (!socket) throw fail("CANCELLED", "The caller is gone.");
  const { remoteAddress = "" } = socket;
  const isLocal = /^(::1|(::ffff:)?127\.)/.test(remoteAddress);
  // The session's own socket refuses what a guard must not do with it; reading it is allowed.
  if (isLocal && (await owner.identify({ socket, headers: { authorization } })) === "other")
    throw notOwner("other");
}

function readMessage(stream: ServerHttp2Stream, maxBytes: number): Promise<Uint8Array> {
  const cutter = new MessageCutter(maxBytes);
  const messages: Uint8Array[] = [];
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(fail("REQUEST_TIMED_OUT", "The request came too slowly.")),
      bounds.requestMs,
    );
    stream.on("data", (piece: Buffer) => {
      try {
        messages.push(...cutter.take(piece));
      } catch (error) {
        clearTimeout(timer);
        reject(error);
      }
    });
    stream.on("end", () => {
      clearTimeout(timer);
      const [message] = messages;
      if (message && messages.length === 1 && cutter.isWhole) resolve(message);
      else reject(fail("REQUEST_INVALID", "This call takes one whole message."));
    });
    stream.on("close", () => {
      clearTimeout(timer);
      reject(fail("CANCELLED", "The caller is gone."));
    });
  });
}

function told(thrown: unknown): AppError {
  const error = toAppError(thrown);
  if (error.code === "internal") logger().error({ err: thrown }, "call failed");
  return error;
}

function statusHeaders(error: AppError | null): Record<string, string> {
  if (!error) return { "grpc-status": "0" };
  const message = encodeURIComponent(error.message.slice(0, 500)).replace(/%20/g, " ");
  return { "grpc-status": String(errorCodes[error.code].grpc), "grpc-message": message };
}
