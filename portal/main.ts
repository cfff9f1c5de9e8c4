import type { IncomingMessage } from "node:http";
import next from "next";
import { findSession, portalToken, shownSession } from "@/lib/server/auth";
import { checkSchemaVersion, closeDatabase, pingDatabase } from "@/lib/server/db";
import { connectionKeyFile, portalEnv } from "@/lib/server/env";
import { OriginGuard, OwnerGuard, ownHosts } from "@/lib/server/http";
import { logger } from "@/lib/server/logger";
import { linesOf, OwnProcess, startOwnStatusServer } from "@/lib/server/metrics";
import { onShutdown, openProcess, watchLoop, watchParent } from "@/lib/server/process";
import { ensureSealingKeys } from "@/lib/server/sealing";
import { pingStore } from "@/lib/server/storage";
import { createFront } from "./front";
import { createGatewayPipe } from "./gateway-pipe";

openProcess();
const env = portalEnv();
const log = logger().child({ process: "portal" });
const dev = env.NODE_ENV === "development";

await checkSchemaVersion(env.DATABASE_URL);
await ensureSealingKeys(connectionKeyFile(env)).catch((err: unknown) =>
  // All but connections and webhooks do without.
  log.error({ err }, "the key of stored secrets cannot be made"),
);
const app = next({ dev, dir: process.cwd(), hostname: env.PORTAL_HOST, port: env.PORTAL_PORT });
await app.prepare();
const handle = app.getRequestHandler();
const token = env.BOARDWALK_OWNER_TOKEN;
const isShared = env.BOARDWALK_ACCOUNTS === "on";
const gateway = createGatewayPipe(
  env.GATEWAY_INTERNAL_URL ?? env.GATEWAY_URL,
  isShared ? null : portalToken,
);

async function isSignedIn({ headers, socket }: IncomingMessage): Promise<boolean> {
  const text = shownSession(headers.cookie);
  return text !== null && (await findSession(text, socket.remoteAddress)) !== null;
}

const front = createFront({
  guard: new OriginGuard({
    known: [...ownHosts(env.PORTAL_URL, env.PORTAL_PORT), ...env.PORTAL_ALLOWED_HOSTS],
    opensReads: true,
  }),
  owner: isShared ? isSignedIn : new OwnerGuard({ token, uid: env.BOARDWALK_OWNER_UID }),
  pages: (request, response) => void handle(request, response),
  gateway,
  maxConnections: env.PORTAL_CONNECTIONS,
  maxClientConnections: env.PORTAL_CLIENT_CONNECTIONS,
});

const ownProcess = new OwnProcess();
const status = await startOwnStatusServer({
  port: env.PORTAL_METRICS_PORT,
  variable: "PORTAL_METRICS_PORT",
  checks: { postgres: pingDatabase, storage: pingStore, gateway: gateway.ping },
  text: async () => linesOf(ownProcess.lines()),
});

onShutdown(
  async () => {
    await status?.close();
    front.closeIdleConnections();
    const closed = new Promise<void>((resolve) => front.close(() => resolve()));
    setTimeout(() => front.closeAllConnections(), 2000).unref();
    await closed;
    gateway.close();
    await closeDatabase();
  },
  { deadlineMs: 10_000 },
);
watchParent();
watchLoop({ log });

front.listen(env.PORTAL_PORT, env.PORTAL_HOST, () => {
  log.info({ port: env.PORTAL_PORT }, "portal listens");
});
