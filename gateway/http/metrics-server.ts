import {
  createGuardedServer,
  OriginGuard,
  portOf,
  provenanceOf,
  sendError,
} from "@/lib/server/http";
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
  const server = createGuardedServer({}, (request, response) => {
    const refusal = guard.refusalOf(provenanceOf(request));
    if (refusal) return sendError(response, refusal);
    const found = request.method === "GET" && request.url === "/metrics";
    const body = found ? meter.text() : "Not Found\n";
    response.writeHead(found ? 200 : 404, {
      "content-type": "text/plain; version=0.0.4; charset=utf-8",
      "content-length": Buffer.byteLength(body),
    });
    response.end(body);
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
