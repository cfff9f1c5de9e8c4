import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type AppError, fail, httpStatusOf } from "@/lib/common/errors";
import { createGuardedServer, OriginGuard, provenanceOf } from "@/lib/server/http";
import type { Service } from "../core";
import { clientOf } from "../intake";
import { sendError } from "./answers";
import { defaultMaxBodyBytes } from "./body";
import { createCors } from "./cors";
import { answerRoute, handlerOf } from "./handlers";
import { parseRoute, type Route } from "./parse-route";

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
type KnownRoute = Exclude<Route, { kind: "unsupported" }>;

/** Starts the V2 protocol over HTTP. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { service, basePath = "", portalUrl, corsOrigins = [] } = options;
  const { routes, readiness, meter, access } = service;
  const cors = createCors(corsOrigins);
  const guard = new OriginGuard({
    known: [...options.allowedHosts, ...cors.hosts],
    opensReads: false,
  });
  const maxBodyBytes = options.maxBodyBytes ?? defaultMaxBodyBytes;
  const server = createGuardedServer(
    {
      connectionsCheckingInterval: checkMs,
      highWaterMark: readAheadBytes,
      refuse: refuseUnread,
      bodyOf: ({ message, reason }) => ({ error: message, code: reason }),
      onCut: (cause) => meter.countCut("http", cause),
      admit: (socket) => service.connections.admit(socket),
    },
    (request, response) => {
      void answer(request, response);
    },
  );
  // Clients keep connections for a minute; a server that closes first resets their next request.
  server.keepAliveTimeout = 75_000;
  server.headersTimeout = 10_000;
  server.requestTimeout = 60_000;
  server.maxConnections = maxConnections;
  /** Answers what the guard of all servers takes no further. */
  function refuseUnread(request: IncomingMessage, response: ServerResponse, fault: AppError): void {
    const headers = { connection: "close" };
    request.resume();
    sendError(request, response, fault, { requestId: randomUUID(), headers });
    const { method = "" } = request;
    meter.countHttp({
      route: "none",
      model: null,
      method,
      status: response.statusCode,
      seconds: 0,
    });
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const start = performance.now();
    let route: KnownRoute | null = null;
    try {
      if (cors.answer(request, response)) return;
      route = find(request);
      if (readiness.draining) response.setHeader("connection", "close");
      const { authorization } = request.headers;
      const action = handlerOf(route).control ? "control" : "use";
      const { socket } = request;
      const permitted = access.check({ authorization, socket }, action, modelOf(route));
      const caller = permitted instanceof Promise ? await permitted : permitted;
      const reservation = service.budget.open(clientOf(request.socket.remoteAddress));
      response.once("close", () => reservation.close());
      await answerRoute(route, {
        request,
        reservation,
        response,
        service,
        caller,
        maxBodyBytes,
        portalUrl,
      });
    } catch (thrown) {
      const error = sendError(request, response, thrown, {
        requestId: randomUUID(),
        headers: retryAfter(route),
        body: extraBody(route),
      });
      response.statusCode = httpStatusOf(error);
    }
    meter.countHttp({
      route: route?.kind ?? "none",
      model: modelOf(route),
      method: request.method ?? "",
      status: response.statusCode,
      seconds: (performance.now() - start) / 1000,
    });
  }

  function find(request: IncomingMessage): KnownRoute {
    const { url: target = "", method = "" } = request;
    const refusal = guard.refusalOf(provenanceOf(request));
    if (refusal) throw refusal;
    const route = parseRoute(target, basePath);
    if (!route) throw fail("NOT_FOUND", "Not Found");
    if (route.kind === "unsupported") {
      throw fail("EXTENSION_UNSUPPORTED", "this extension of the protocol is not supported");
    }
    const { methods } = handlerOf(route);
    if (!methods.includes(method)) {
      throw fail("METHOD_NOT_ALLOWED", "Method Not Allowed", {
        details: { allow: methods.join(", ") },
      });
    }
    return route;
  }

  function retryAfter(route: Route | null): Record<string, string> {
    const model = modelOf(route);
    return model !== null && routes.mayComeBack(model) ? { "retry-after": "2" } : {};
  }

  function extraBody(route: Route | null): Record<string, unknown> {
    if (route?.kind === "ready") return { ready: false, live: true };
    if (route?.kind === "modelReady" || route?.kind === "v1Model")
      return { name: route.model, ready: false };
    return {};
  }

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      await new Promise<void>((resolve) => {
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
    },
  };
}

function modelOf(route: Route | null): string | null {
  return route && "model" in route ? route.model : null;
}
