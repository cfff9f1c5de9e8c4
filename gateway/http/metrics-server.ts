import type { IncomingMessage, ServerResponse } from "node:http";
import {
  createGuardedServer,
  OriginGuard,
  portOf,
  provenanceOf,
  sendError,
} from "@/lib/server/http";
import { logger } from "@/lib/server/logger";
import type { Meter } from "../metrics";

interface MetricsServerOptions {
  readonly host: string;
  readonly port: number;
  /** Further `host:port` under which this server is known, beside loopback names. */
  readonly allowedHosts: readonly string[];
}

/** Serves `/metrics` on a port of its own, for scrapers. */
export async function startMetricsServer(
  meter: Meter,
  { host, port, allowedHosts }: MetricsServerOptions,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const guard = new OriginGuard({ known: allowedHosts, opensReads: false });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refusal = guard.refusalOf(provenanceOf(request));
    if (refusal) return sendError(response, refusal);
    const found = request.method === "GET" && request.url === "/metrics";
    const body = found ? await meter.text() : "Not Found\n";
    response.writeHead(found ? 200 : 404, {
      "content-type": "text/plain; version=0.0.4; charset=utf-8",
      "content-length": Buffer.byteLength(body),
    });
    response.end(body);
  };
  const server = createGuardedServer({}, (request, response) => {
    answer(request, response).catch((err: unknown) => {
      logger().error({ err }, "metrics cannot be told");
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  return {
    port: portOf(server),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
