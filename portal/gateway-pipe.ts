import {
  Agent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from "node:http";
import { fail, toAppError } from "@/lib/common/errors";
import { shownToken } from "@/lib/server/auth";
import { toStoreError } from "@/lib/server/db";
import { sendError } from "@/lib/server/http";

/** Headers of one connection, not of the message. Source: RFC 9110 §7.6.1; `expect` was answered by us. */
const ofTheConnection: ReadonlySet<string> = new Set([
  "connection",
  "expect",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/**
 * Passes `/v1` and `/v2` straight to the gateway, byte by byte, both ways. Callers with a token are judged there by it; for all others
 * the portal speaks, where it has let them in.
 *
 * @param ownToken Gives the token of the portal; null: whoever shows none has not been let in.
 */
export function createGatewayPipe(
  gatewayUrl: string,
  ownToken: (() => Promise<string>) | null,
): {
  (request: IncomingMessage, response: ServerResponse): void;
  /** Rejects where the gateway is not alive. */
  ping(): Promise<void>;
  close(): void;
} {
  const target = new URL(gatewayUrl);
  const agent = new Agent({ keepAlive: true });

  const pipe = (request: IncomingMessage, response: ServerResponse): void => {
    const { authorization } = request.headers;
    if (ownToken === null || shownToken(authorization) !== undefined)
      pass(request, response, authorization);
    else
      void ownToken().then(
        (token) => pass(request, response, `Bearer ${token}`),
        (error: unknown) => sendError(response, toAppError(toStoreError(error))),
      );
  };

  const pass = (
    request: IncomingMessage,
    response: ServerResponse,
    authorization: string | undefined,
  ): void => {
    if (response.destroyed) return;
    const upstream = open(request, authorization);
    if (!upstream) {
      sendError(response, fail("REQUEST_INVALID", "A header has a character it may not."));
      return;
    }
    upstream.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, passedOn(answer.headers));
      answer.pipe(response);
      answer.on("error", () => response.destroy());
    });
    upstream.on("error", () => {
      if (response.headersSent) {
        response.destroy();
        return;
      }
      response.writeHead(503, { "content-type": "application/json", "retry-after": "1" });
      response.end('{"error":"The gateway does not answer.","code":"UPSTREAM_RESET"}');
    });
    response.on("close", () => upstream.destroy());
    request.pipe(upstream);
  };

  /** Null for headers that the parser takes and no client may send. */
  function open(request: IncomingMessage, authorization: string | undefined) {
    try {
      return httpRequest({
        agent,
        host: target.hostname,
        port: target.port,
        method: request.method,
        path: request.url,
        headers: {
          ...passedOn(request.headers),
          ...(authorization === undefined ? {} : { authorization }),
          ...framingOf(request.headers),
          host: target.host,
        },
      });
    } catch {
      return null;
    }
  }
  /** Not by `fetch`, which Next.js replaces in this process by one that waits for a page. */
  const ping = () =>
    new Promise<void>((resolve, reject) => {
      const { hostname: host, port } = target;
      const asked = httpRequest({ agent, host, port, path: "/v2/health/live" }, (answer) => {
        answer.resume();
        if (answer.statusCode === 200) resolve();
        else reject(new Error(`The gateway answers ${answer.statusCode}.`));
      });
      asked.on("error", reject).end();
    });
  return Object.assign(pipe, { ping, close: () => agent.destroy() });
}

/** Without the headers of the connection, those that `Connection` names among them. */
function passedOn(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const named = new Set(
    (headers.connection ?? "").split(",").map((name) => name.trim().toLowerCase()),
  );
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => !ofTheConnection.has(name) && (name === "content-length" || !named.has(name)),
    ),
  );
}

/**
 * How the body is delimited on the way on: as it came. Left to Node, the body of a method that seldom has one would go
 * without any frame, and be read as the next request.
 */
function framingOf(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return headers["transfer-encoding"] === undefined ? {} : { "transfer-encoding": "chunked" };
}
