import {
  Agent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from "node:http";
import { fail } from "@/lib/common/errors";
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
 * Passes `/v1` and `/v2` straight to the gateway, byte by byte, both ways.
 *
 * @param ownerToken Shown to the gateway, which may not know whose process this is: only the owner comes as far as here.
 */
export function createGatewayPipe(
  gatewayUrl: string,
  ownerToken?: string,
): {
  (request: IncomingMessage, response: ServerResponse): void;
  /** Rejects where the gateway is not alive. */
  ping(): Promise<void>;
  close(): void;
} {
  const target = new URL(gatewayUrl);
  const agent = new Agent({ keepAlive: true });

  const pipe = (request: IncomingMessage, response: ServerResponse) => {
    const upstream = open(request);
    if (!upstream) {
      return sendError(response, fail("REQUEST_INVALID", "A header has a character it may not."));
    }
    upstream.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, passedOn(answer.headers));
      answer.pipe(response);
      answer.on("error", () => response.destroy());
    });
    upstream.on("error", () => {
      if (response.headersSent) return response.destroy();
      response.writeHead(503, { "content-type": "application/json", "retry-after": "1" });
      return response.end('{"error":"The gateway does not answer.","code":"UPSTREAM_RESET"}');
    });
    response.on("close", () => upstream.destroy());
    request.pipe(upstream);
  };

  /** Null for headers that the parser takes and no client may send. */
  function open(request: IncomingMessage) {
    try {
      return httpRequest({
        agent,
        host: target.hostname,
        port: target.port,
        method: request.method,
        path: request.url,
        headers: {
          ...(ownerToken ? { authorization: `Bearer ${ownerToken}` } : {}),
          ...passedOn(request.headers),
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
