import {
  Agent,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";

/** Headers of one connection, not of the message. Source: RFC 9110 §7.6.1. */
const ofTheConnection = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Passes `/v1` and `/v2` straight to the gateway, byte by byte, both ways. */
export function createGatewayPipe(gatewayUrl: string): {
  (request: IncomingMessage, response: ServerResponse): void;
  close(): void;
} {
  const target = new URL(gatewayUrl);
  const agent = new Agent({ keepAlive: true });

  const pipe = (request: IncomingMessage, response: ServerResponse) => {
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => !ofTheConnection.has(name)),
    );
    const upstream = httpRequest(
      {
        agent,
        host: target.hostname,
        port: target.port,
        method: request.method,
        path: request.url,
        headers: { ...headers, host: target.host },
      },
      (answer) => {
        const answered = Object.fromEntries(
          Object.entries(answer.headers).filter(([name]) => !ofTheConnection.has(name)),
        );
        response.writeHead(answer.statusCode ?? 502, answered);
        answer.pipe(response);
        answer.on("error", () => response.destroy());
      },
    );
    upstream.on("error", () => {
      if (response.headersSent) return response.destroy();
      response.writeHead(503, { "content-type": "application/json", "retry-after": "1" });
      return response.end('{"error":"The gateway does not answer.","code":"UPSTREAM_RESET"}');
    });
    response.on("close", () => upstream.destroy());
    request.pipe(upstream);
  };
  return Object.assign(pipe, { close: () => agent.destroy() });
}
