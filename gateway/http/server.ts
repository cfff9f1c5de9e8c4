import type { Server } from "node:http";
import type { AppError } from "@/lib/common/errors";
import { createGuardedServer, portOf } from "@/lib/server/http";
import type { Service } from "../core";
import { defaultMaxBodyBytes } from "./body";
import { Dispatcher } from "./dispatcher";
import { PlainLane } from "./plain";

/** Where HTTP is answered, by which service, and within which limits. */
export interface HttpServerOptions {
  readonly service: Service;
  readonly host: string;
  readonly port: number;
  /** Further `host:port` under which this server, or a page that may call it, is known. */
  readonly allowedHosts: readonly string[];
  /** Where people are sent who open `/` in a browser. */
  readonly portalUrl: string;
  /** Origins of other sites whose pages may call this server. */
  readonly corsOrigins?: readonly string[];
  /** All routes lie below it: empty, or `/some/path`. */
  readonly basePath?: string;
  readonly maxBodyBytes?: number;
  /** Those above are closed at once. */
  readonly maxConnections: number;
}

/** A running server with the port that it got. */
export interface HttpServer {
  readonly port: number;
  /** Lets running requests end, for a while, and closes. */
  close(): Promise<void>;
}

/** Running requests may take so long to end when the server leaves. */
const drainMs = 10_000;
const sweepMs = 50;
/** What of a body may come before somebody reads it: a body in crumbs costs much until then. */
const readAheadBytes = 8192;
/** How often connections are looked at that may be too slow. */
const checkMs = 2000;
/** Clients keep connections for a minute; a server that closes first resets their next request. */
const keepAliveMs = 75_000;
const headersMs = 10_000;
const requestMs = 60_000;
/** Larger bodies are read at a pace. */
const mostPlainBytes = 256 * 1024;

/** Starts the V2 protocol over HTTP. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { service, basePath = "", corsOrigins = [], maxBodyBytes = defaultMaxBodyBytes } = options;
  const dispatcher = new Dispatcher({ ...options, basePath, corsOrigins, maxBodyBytes });
  const bodyOf = ({ message, reason }: AppError) => ({ error: message, code: reason });
  const plain = new PlainLane({
    answerer: dispatcher,
    service,
    bodyOf,
    limits: {
      headersMs,
      requestMs,
      keepAliveMs,
      checkMs,
      mostBodyBytes: Math.min(mostPlainBytes, maxBodyBytes),
    },
  });
  const server = createGuardedServer(
    {
      take: (socket, goOn) => plain.take(socket, goOn),
      connectionsCheckingInterval: checkMs,
      highWaterMark: readAheadBytes,
      refuse: (request, response, fault) => dispatcher.refuseUnread(request, response, fault),
      bodyOf,
      onCut: (cause) => service.meter.countCut("http", cause),
      admit: (socket) => service.connections.admit(socket),
    },
    (request, response) => void dispatcher.answer(request, response),
  );
  server.keepAliveTimeout = keepAliveMs;
  server.headersTimeout = headersMs;
  server.requestTimeout = requestMs;
  server.maxConnections = options.maxConnections;
  server.on("drop", () => service.meter.countCut("http", "full"));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    port: portOf(server),
    close: () => drain(server, plain),
  };
}

function drain(server: Server, plain: PlainLane): Promise<void> {
  return new Promise((resolve) => {
    const hurry = setTimeout(() => {
      server.closeAllConnections();
      plain.closeAll();
    }, drainMs);
    const closeIdle = () => {
      server.closeIdleConnections();
      plain.closeIdle();
    };
    // A connection falls idle when its last answer is sent, and would be kept.
    const sweep = setInterval(closeIdle, sweepMs);
    server.close(() => {
      clearTimeout(hurry);
      clearInterval(sweep);
      plain.stop();
      resolve();
    });
    closeIdle();
  });
}
