import { readFile } from "node:fs/promises";
import { readInstallation } from "@/domain/installation";
import { systemResolve } from "@/domain/sources";
import { checkSchemaVersion, closeDatabase, pingDatabase } from "@/lib/server/db";
import { connectionKeyFile, controlEnv } from "@/lib/server/env";
import { logger } from "@/lib/server/logger";
import { linesOf, OwnProcess, startOwnStatusServer } from "@/lib/server/metrics";
import { onShutdown, openProcess, watchLoop, watchParent } from "@/lib/server/process";
import { createProducer, pingRedis } from "@/lib/server/queue";
import { objectStore, pingStore } from "@/lib/server/storage";
import { mailServer, startDeliverer } from "@/workers/notify";
import { installationLines, leaderLines } from "./installation-lines";
import { startReconciler } from "./reconciler";
import { startRelay } from "./relay";

openProcess();
const env = controlEnv();
const { DATABASE_URL, REDIS_URL: url, SWEEP_S: sweepS, GRACE_S: graceS } = env;
const log = logger().child({ process: "control" });

await checkSchemaVersion(DATABASE_URL);
const producer = createProducer({ url, onError: (err) => log.debug({ err }, "queue") });
const relay = startRelay({ producer, sweepS, log });
const reconciler = startReconciler({
  producer,
  store: objectStore(),
  sweepS,
  graceS,
  acceptMinutes: env.BOARD_LEASE_ACCEPT_MINUTES,
  log,
});
const deliverer = startDeliverer({
  webhooks: {
    policy: { allowedHosts: env.SOURCE_ALLOWED_HOSTS },
    resolve: systemResolve,
    ca: env.SOURCE_CA_FILE === undefined ? undefined : await readFile(env.SOURCE_CA_FILE, "utf8"),
    keyFile: connectionKeyFile(env),
  },
  mail:
    env.SMTP_URL === undefined
      ? null
      : mailServer({ url: env.SMTP_URL, from: env.SMTP_FROM, portalUrl: env.PORTAL_URL }),
  sweepS,
  log,
});
const ownProcess = new OwnProcess();
const status = await startOwnStatusServer({
  port: env.CONTROL_METRICS_PORT,
  variable: "CONTROL_METRICS_PORT",
  checks: { postgres: pingDatabase, redis: () => pingRedis(url), storage: pingStore },
  text: async () =>
    linesOf(
      leaderLines(reconciler.leads),
      // While the database is away, what is known without it is told all the same.
      await readInstallation().then(installationLines, () => []),
      ownProcess.lines(),
    ),
});
log.info("control is up");

onShutdown(
  async () => {
    await status?.close();
    await Promise.all([relay.close(), reconciler.close(), deliverer.close()]);
    await producer.close();
    await closeDatabase();
  },
  {
    deadlineMs: 15_000,
    onStart: (cause) => log.info({ cause }, "control stops"),
    onError: (err) => log.error({ err }, "control stopped badly"),
  },
);
watchParent();
watchLoop({ log });
