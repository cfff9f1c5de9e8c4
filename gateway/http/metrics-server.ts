import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Meter } from "../core/meter";

/** Serves `/metrics` on a port of its own, for scrapers. */
export async function startMetricsServer(
  meter: Meter,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = createServer((request, response) => {
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
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
