import { setTimeout as delay } from "node:timers/promises";
import type { RouteSnapshot } from "@/domain/routes";
import type { TlsIdentity } from "@/lib/server/board-protocol";
import { ConnectionCap } from "@/lib/server/http";
import { startStatusServer } from "@/lib/server/metrics";
import { collectSeldom } from "@/lib/server/process";
import { Codec } from "./codec";
import {
  Access,
  type AccessOptions,
  Readiness,
  Repository,
  type RepositoryControl,
  RouteTable,
  Schedulers,
  type Service,
  startRouteFeed,
  type Traces,
} from "./core";
import { startGrpcServer } from "./grpc";
import { defaultMaxBodyBytes, startHttpServer } from "./http";
import { type BudgetLimits, ByteBudget, InFlight } from "./intake";
import { Meter, Statistics } from "./metrics";
import { Traffic, type TrafficOptions } from "./traffic";
import { createFrameLink, startProbe } from "./transport";

/** What V2 metadata tells of this server. */
const version = "0.1.0";
/** Callers need a moment to see that nothing new is taken. */
const closingNoticeMs = 200;
/** Inferences of one client that may be under way; more than any honest one has. */
const defaultClientInFlight = 4096;
const defaultClientConnections = 1024;
/** Connections of each protocol; each costs little while nothing is asked on it. */
const defaultConnections = 16_384;

/** Where routes come from, where the gateway listens, and its limits. */
export interface GatewayOptions {
  readonly load: () => Promise<RouteSnapshot>;
  readonly listen: (onRing: () => void) => { close(): Promise<void> };
  /** Loads and unloads models for those who may; absent: nobody may. */
  readonly control?: RepositoryControl;
  readonly access?: AccessOptions;
  readonly host: string;
  /** 0: any free port. */
  readonly httpPort: number;
  readonly grpcPort?: number;
  readonly metricsPort: number;
  readonly allowedHosts: readonly string[];
  readonly corsOrigins?: readonly string[];
  readonly portalUrl: string;
  readonly basePath?: string;
  readonly maxBodyBytes?: number;
  readonly maxClientInFlight?: number;
  /** What requests may hold in memory. */
  readonly budget?: BudgetLimits;
  readonly maxClientConnections?: number;
  /** Connections that each protocol has open; those above are closed at once. */
  readonly maxConnections?: number;
  /** A gRPC connection without a call for so long ends. */
  readonly grpcIdleMs?: number;
  /** How long it says that it is not ready, and answers all the same, before it takes nothing new: load balancers see it meanwhile. */
  readonly drainMs?: number;
  /** Who writes down what endpoints are asked; absent: nobody. */
  readonly traffic?: TrafficOptions;
  readonly traces?: (version: string) => Traces;
  /** What this gateway shows to board servers of other hosts; left out: it reaches none. */
  readonly identity?: TlsIdentity;
  /** How old routes may be, when they cannot be read, before nothing is answered from them. */
  readonly maxSnapshotAgeMs?: number;
}

/** Routes that take longer are not waited for: the gateway says why it has none. */
const longestFirstMs = 5000;

/** A running gateway with the ports that it got. */
export interface Gateway {
  readonly httpPort: number;
  readonly grpcPort: number;
  readonly metricsPort: number;
  /** Becomes not ready, lets running requests end, closes. */
  close(): Promise<void>;
}

/** Starts the HTTP, gRPC and metrics servers on one set of routes, limits and counters. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  collectSeldom();
  const { load, listen, host, httpPort, metricsPort, maxSnapshotAgeMs, ...serving } = options;
  const {
    grpcPort = 0,
    maxBodyBytes = defaultMaxBodyBytes,
    maxConnections = defaultConnections,
  } = options;
  const routes = new RouteTable();
  const statistics = new Statistics();
  const link = createFrameLink(options.identity ?? null);
  const schedulers = new Schedulers(link, statistics);
  const traffic = options.traffic
    ? new Traffic(options.traffic, (model) => routes.routeOf(model))
    : null;
  const service: Service = {
    version,
    routes,
    renewRoutes: () => feed.renewed(),
    readiness: new Readiness(routes, maxSnapshotAgeMs),
    schedulers,
    statistics,
    repository: new Repository(routes, options.control ?? null),
    access: new Access(routes, options.access),
    inFlight: new InFlight(options.maxClientInFlight ?? defaultClientInFlight),
    budget: new ByteBudget(options.budget),
    connections: new ConnectionCap(options.maxClientConnections ?? defaultClientConnections),
    codec: new Codec(),
    meter: new Meter(
      statistics,
      (model) => routes.has(model),
      () => traffic?.dropped ?? 0,
    ),
    traffic,
    traces: options.traces?.(version) ?? null,
  };
  const renew = (snapshot: RouteSnapshot, readAtMs: number): void => {
    routes.renew(snapshot, readAtMs);
    const revisions = [...routes.revisions()];
    schedulers.renew(revisions.map(({ revision }) => revision));
    const ready = revisions.filter(({ revision }) => revision.replicas.length > 0);
    statistics.keep(ready.map(({ model, revision }) => ({ model, version: revision.version })));
    service.meter.forgetUnknown();
    probe.ask();
  };
  const probe = startProbe(routes, link);
  const feed = startRouteFeed({ load, listen, renew });
  // Before, nothing could be answered: who is refused the connection asks another gateway, who is answered 503 does not.
  await Promise.race([feed.first, delay(longestFirstMs, undefined, { ref: false })]);
  const http = await startHttpServer({
    ...serving,
    service,
    host,
    port: httpPort,
    maxConnections,
  });
  const grpc = await startGrpcServer({
    service,
    host,
    port: grpcPort,
    maxMessageBytes: maxBodyBytes,
    maxConnections,
    idleMs: options.grpcIdleMs,
  });
  const metrics = await startStatusServer({
    host,
    port: metricsPort,
    allowedHosts: options.allowedHosts,
    checks: { routes: async () => service.readiness.check() },
    text: () => service.meter.text(),
  });
  const drain = async (): Promise<void> => {
    service.readiness.draining = true;
    if (options.drainMs) await delay(options.drainMs);
    service.readiness.closing = true;
    await delay(closingNoticeMs);
    await Promise.all([http.close(), grpc.close()]);
    await feed.close();
    probe.close();
    await metrics.close();
    await link.close();
    await service.codec.close();
    await service.access.close();
    await service.traffic?.close();
    await service.traces?.close();
  };
  let closing: Promise<void> | null = null;
  return {
    httpPort: http.port,
    grpcPort: grpc.port,
    metricsPort: metrics.port,
    close: () => (closing ??= drain()),
  };
}
