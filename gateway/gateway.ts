import type { RouteSnapshot } from "@/domain/routes";
import { Meter } from "./core/meter";
import { Readiness } from "./core/readiness";
import { startRouteFeed } from "./core/route-feed";
import { RouteTable } from "./core/route-table";
import { startMetricsServer } from "./http/metrics-server";
import { startHttpServer } from "./http/server";
import { createHttpLink } from "./transport/http-link";

/** What V2 metadata tells of this server. */
const version = "0.1.0";
/** Load balancers need a moment to see that the server is not ready any more. */
const drainNoticeMs = 200;

export interface GatewayOptions {
  readonly load: () => Promise<RouteSnapshot>;
  readonly listen: (onRing: () => void) => { close(): Promise<void> };
  readonly host: string;
  /** 0: any free port. */
  readonly httpPort: number;
  readonly metricsPort: number;
  readonly allowedHosts: readonly string[];
  readonly portalUrl: string;
  readonly basePath?: string;
  readonly maxBodyBytes?: number;
  /** How old routes may be, when they cannot be read, before nothing is answered from them. */
  readonly maxSnapshotAgeMs?: number;
}

export interface Gateway {
  readonly httpPort: number;
  readonly metricsPort: number;
  /** Becomes not ready, lets running requests end, closes. */
  close(): Promise<void>;
}

export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { load, listen, host, httpPort, metricsPort, maxSnapshotAgeMs, ...serving } = options;
  const routes = new RouteTable();
  const readiness = new Readiness(routes, maxSnapshotAgeMs);
  const meter = new Meter((model) => routes.names.includes(model));
  const link = createHttpLink();
  const feed = startRouteFeed({ load, listen, table: routes });
  const http = await startHttpServer({
    ...serving,
    routes,
    readiness,
    meter,
    link,
    version,
    host,
    port: httpPort,
  });
  const metrics = await startMetricsServer(meter, { host, port: metricsPort });
  const drain = async (): Promise<void> => {
    readiness.draining = true;
    await new Promise((resolve) => setTimeout(resolve, drainNoticeMs));
    await http.close();
    await feed.close();
    await metrics.close();
    await link.close();
  };
  let closing: Promise<void> | null = null;
  return {
    httpPort: http.port,
    metricsPort: metrics.port,
    close: () => (closing ??= drain()),
  };
}
