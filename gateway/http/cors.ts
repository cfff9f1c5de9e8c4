import type { IncomingMessage, ServerResponse } from "node:http";

/** What pages of other sites may do here. */
export interface Cors {
  /** `host:port` of the origins that may call. */
  readonly hosts: readonly string[];
  /** Says to the browser what an allowed page may do. True: it was only asking, and is answered. */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
}

const exposed = "Inference-Header-Content-Length";

/** Lets pages of some other origins call this server; none unless they are listed. */
export function createCors(origins: readonly string[]): Cors {
  const known = new Set(origins.map((origin) => new URL(origin).origin));
  return {
    hosts: [...known].map((origin) => new URL(origin).host),
    answer({ headers, method }, response) {
      const { origin } = headers;
      if (origin === undefined || !known.has(origin)) return false;
      response.setHeader("access-control-allow-origin", origin);
      response.setHeader("access-control-expose-headers", exposed);
      response.setHeader("vary", "Origin");
      if (method !== "OPTIONS") return false;
      response.writeHead(204, {
        "access-control-allow-methods": "GET, HEAD, POST",
        "access-control-allow-headers": `authorization, content-type, ${exposed.toLowerCase()}`,
        "access-control-max-age": "600",
        "content-length": 0,
      });
      response.end();
      return true;
    },
  };
}
