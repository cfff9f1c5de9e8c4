import path from "node:path";
import { createRouteReader, reportGateway, setEndpointPaused } from "@/domain/routes";
import { writeTraffic } from "@/domain/traffic";
import { findGrant, listEnded, listRevoked, noteUses } from "@/lib/server/auth";
import { loadPrivateKey, tlsIdentity } from "@/lib/server/board-protocol";
import { checkSchemaVersion, closeDatabase, listen } from "@/lib/server/db";
import { gatewayEnv } from "@/lib/server/env";
import { OwnerGuard, ownHosts } from "@/lib/server/http";
import { logger } from "@/lib/server/logger";
import { onShutdown, openProcess, processName, watchLoop, watchParent } from "@/lib/server/process";
import { startGateway } from "./gateway";
import { startPresence } from "./presence";

/** Loaded by those alone who want traces. */
async function otlpTraces(endpoint: string) {
  const { startOtlpTraces } = await import("./telemetry");
  return (version: string) => startOtlpTraces(endpoint, version);
}

openProcess();
const env = gatewayEnv();
const otlpEndpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT;
await checkSchemaVersion(env.DATABASE_URL);
const identity = tlsIdentity(
  await loadPrivateKey([env.BOARDWALK_HOME, "keys", "gateway.pem"].join(path.sep)),
);
const presence = startPresence(() =>
  reportGateway({ publicKey: identity.publicKey, name: processName() }),
);
const gateway = await startGateway({
  identity,
  load: createRouteReader(),
  listen: (onRing) => listen("route", { onNotify: onRing, onReconnect: onRing }),
  control: { setPaused: setEndpointPaused },
  traffic: { write: writeTraffic },
  access: {
    tokens: {
      find: findGrant,
      listRevoked,
      listEnded,
      listen: (onRing) => listen("token", { onNotify: onRing, onReconnect: onRing }),
      note: noteUses,
    },
    owner: new OwnerGuard({
      token: env.BOARDWALK_OWNER_TOKEN,
      uid: env.BOARDWALK_OWNER_UID,
      // Where people have accounts, nobody is the owner for the machine that they call from: it may be a proxy's.
      ...(env.BOARDWALK_ACCOUNTS === "on" ? { uidOf: async () => null } : {}),
    }),
  },
  host: env.PORTAL_HOST,
  httpPort: env.GATEWAY_HTTP_PORT,
  grpcPort: env.GATEWAY_GRPC_PORT,
  metricsPort: env.GATEWAY_METRICS_PORT,
  allowedHosts: [
    new URL(env.GATEWAY_URL).host,
    ...(env.GATEWAY_INTERNAL_URL ? [new URL(env.GATEWAY_INTERNAL_URL).host] : []),
    ...ownHosts(env.PORTAL_URL, env.PORTAL_PORT),
    ...env.PORTAL_ALLOWED_HOSTS,
  ],
  portalUrl: env.PORTAL_URL,
  basePath: env.GATEWAY_BASE_PATH,
  maxBodyBytes: env.GATEWAY_MAX_BODY_BYTES,
  corsOrigins: env.GATEWAY_CORS_ORIGINS,
  maxClientInFlight: env.GATEWAY_CLIENT_IN_FLIGHT,
  maxClientConnections: env.GATEWAY_CLIENT_CONNECTIONS,
  maxConnections: env.GATEWAY_CONNECTIONS,
  drainMs: env.GATEWAY_DRAIN_S * 1000,
  budget: {
    totalBytes: env.GATEWAY_BUDGET_BYTES,
    clientBytes: env.GATEWAY_CLIENT_BUDGET_BYTES,
  },
  ...(otlpEndpoint ? { traces: await otlpTraces(otlpEndpoint) } : {}),
});
onShutdown(async () => {
  presence.close();
  await gateway.close();
  await closeDatabase();
});
watchParent();
watchLoop({ log: logger().child({ process: "gateway" }) });
const { httpPort: port, grpcPort, metricsPort } = gateway;
logger().info({ port, grpcPort, metricsPort }, "gateway started");
