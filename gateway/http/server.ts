import type { Server } from "node:http";
import { createGuardedServer, portOf } from "@/lib/server/http";
import type { Service } from "../core";
import { defaultMaxBodyBytes } from "./body";
import { Dispatcher } from "./dispatcher";

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
}

/** A running server with the port that it got. */
export interface HttpServer {
  readonly port: number;
  /** Lets running requests end, for a while, and closes. */
  close(): Promise<void>;
}

/** Clients keep theirs, and each costs little. */
const maxConnections = 8192;
/** Running requests may take so long to end when the server leaves. */
const drainMs = 10_000;
const sweepMs = 50;
/** What of a body may come before somebody reads it: a body in crumbs costs much until then. */
const readAheadBytes = 8192;
/** How often connections are looked at that may be too slow. */
const checkMs = 2000;

/** Starts the V2 protocol over HTTP. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { service, basePath = "", corsOrigins = [], maxBodyBytes = defaultMaxBodyBytes } = options;
  const dispatcher = new Dispatcher({ ...options, basePath, corsOrigins, maxBodyBytes });
  const server = createGuardedServer(
    {
      connectionsCheckingInterval: checkMs,
      highWaterMark: readAheadBytes,
      refuse: (request, response, fault) => dispatcher.refuseUnread(request, response, fault),
      bodyOf: ({ message, reason }) => ({ error: message, code: reason }),
      onCut: (cause) => service.meter.countCut("http", cause),
      admit: (socket) => service.connections.admit(socket),
    },
    (request, response) => void dispatcher.answer(request, response),
  );
  // Clients keep connections for a minute; a server that closes first resets their next request.
  server.keepAliveTimeout = 75_000;
  server.headersTimeout = 10_000;
  server.requestTimeout = 60_000;
  server.maxConnections = maxConnections;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    port: portOf(server),
    close: () => drain(server),
  };
}

function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const hurry = setTimeout(() => server.closeAllConnections(), drainMs);
    // A connection falls idle when its last answer is sent, and would be kept.
    const sweep = setInterval(() => server.closeIdleConnections(), sweepMs);
    server.close(() => {
      clearTimeout(hurry);
      clearInterval(sweep);
      resolve();
    });
    server.closeIdleConnections();
  });
}
