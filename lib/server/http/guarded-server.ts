import { randomUUID } from "node:crypto";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type AppError, fail, httpStatusOf } from "@/lib/common/errors";
import { errorBody, sendError } from "./error-body";
import { methodUnknown, requestFault } from "./request-fault";
import { type BodyPace, watchBody } from "./watch-body";

interface GuardOptions extends ServerOptions {
  /** Answers a request that goes no further. Default: the error body of `/api/v1`. */
  readonly refuse?: (request: IncomingMessage, response: ServerResponse, error: AppError) => void;
  /** The body of a refusal where there is no request to answer. */
  readonly bodyOf?: (error: AppError) => unknown;
  /** False: the client has too many connections already. */
  readonly admit?: (socket: Socket) => boolean;
  /** Gets each connection before this server's parser does, with what makes the parser go on with it. Default: that, at once. */
  readonly take?: (socket: Socket, goOn: (socket: Socket) => void) => void;
  /** Below which pace a body is ended. Default: none. */
  readonly slowestBody?: BodyPace;
  /** Told of every connection that we end on a client. */
  readonly onCut?: (cause: Cut) => void;
}

/** Why we end a connection on a client: what it sent cannot be read, came too slowly, asks for a tunnel, or is one too many. */
type Cut = "malformed" | "slow" | "connect" | "crowded";

/** A client that we close upon has so long to read our last words: closing at once could reset them away. */
const lastWordsMs = 1000;
const maxHeaderBytes = 16 * 1024;

/**
 * The one way in which a server of ours speaks HTTP/1.1. No socket of it is ever without an error listener; nothing is
 * upgraded and nobody else may listen for it; requests that two servers could read differently, and paths that are no text,
 * never reach `listener`.
 */
export function createGuardedServer(options: GuardOptions, listener: RequestListener): Server {
  const {
    refuse = sendRefusal,
    bodyOf = plainBody,
    take = (socket, goOn) => goOn(socket),
    admit,
    slowestBody,
    onCut,
    ...serverOptions
  } = options;
  /** The newest request of each socket. */
  const newest = new WeakMap<Socket, { request: IncomingMessage; response: ServerResponse }>();
  const server = createServer(
    { maxHeaderSize: maxHeaderBytes, insecureHTTPParser: false, ...serverOptions },
    (request, response) => {
      // Our last words are said already: nothing more is done for it.
      if (request.socket.writableEnded) return;
      newest.set(request.socket, { request, response });
      const fault = requestFault(request);
      if (fault) refuse(request, response, fault);
      else {
        if (slowestBody) watchBody(request, slowestBody, () => cut(tooSlow(), request.socket));
        listener(request, response);
      }
    },
  );
  const parsers = server.listeners("connection");
  server.removeAllListeners("connection");
  const goOn = (socket: Socket) => {
    for (const parser of parsers) parser.call(server, socket);
  };
  server.on("connection", (socket) => {
    // Node takes its own listener off where it hands a socket over.
    socket.on("error", () => {});
    if (!admit || admit(socket)) return take(socket, goOn);
    onCut?.("crowded");
    sayLast(socket, fail("RATE_LIMITED", "This client has too many connections open."), bodyOf);
  });
  // Without a listener for it, Node treats an upgrade as the plain request that it also is.
  server.on("newListener", (event, added) => {
    if (event === "upgrade") process.nextTick(() => server.removeListener("upgrade", added));
  });
  server.on("connect", (_request, socket) => {
    onCut?.("connect");
    sayLast(socket as Socket, methodUnknown(), bodyOf);
  });
  const cut = (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    onCut?.(error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? "slow" : "malformed");
    const say = () => sayLast(socket as Socket, clientFault(error), bodyOf);
    const last = newest.get(socket as Socket);
    if (!last || last.response.closed) say();
    // What cannot be read came after a request whose answer is still to come, or part of it is out already.
    else if (last.request.complete) last.response.once("close", say);
    else if (last.response.headersSent) last.response.once("close", () => socket.destroy());
    else say();
  };
  server.on("clientError", cut);
  return server;
}

/** What Node says of a request that does not come in time. */
const tooSlow = (): NodeJS.ErrnoException =>
  Object.assign(new Error("slow body"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });

function clientFault({ code }: NodeJS.ErrnoException): AppError {
  if (code === "HPE_HEADER_OVERFLOW") {
    return fail("HEADERS_TOO_LONG", "The headers are longer than 16 KiB.");
  }
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return fail("REQUEST_TIMED_OUT", "The request came too slowly.");
  }
  return fail("REQUEST_INVALID", "This is not an HTTP request.");
}

function sendRefusal(request: IncomingMessage, response: ServerResponse, error: AppError): void {
  // What still comes is not wanted; it is taken so that the answer is not reset away.
  request.resume();
  sendError(response, error);
}

const plainBody = (error: AppError): unknown => errorBody(error, randomUUID());

/** Answers on a bare socket, and closes it. */
export function sayLast(
  socket: Socket,
  error: AppError,
  bodyOf: (error: AppError) => unknown,
): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(bodyOf(error));
  const { allow } = error.details ?? {};
  const head = [
    `HTTP/1.1 ${httpStatusOf(error)} Refused`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(allow === undefined ? [] : [`Allow: ${String(allow)}`]),
    ...(error.reason === "RATE_LIMITED" ? ["Retry-After: 1"] : []),
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  socket.resume();
  const late = setTimeout(() => socket.destroy(), lastWordsMs);
  socket.once("close", () => clearTimeout(late));
}
