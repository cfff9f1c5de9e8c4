import { checkSchemaVersion, closeDatabase } from "@/lib/server/db";
import { controlEnv } from "@/lib/server/env";
import { logger } from "@/lib/server/logger";
import { onShutdown, openProcess, watchLoop, watchParent } from "@/lib/server/process";
import { createProducer } from "@/lib/server/queue";
import { objectStore } from "@/lib/server/storage";
import { startReconciler } from "./reconciler";
import { startRelay } from "./relay";

openProcess();
const { DATABASE_URL, REDIS_URL: url, SWEEP_S: sweepS, GRACE_S: graceS } = controlEnv();
const log = logger().child({ process: "control" });

await checkSchemaVersion(DATABASE_URL);
const producer = createProducer({ url, onError: (err) => log.debug({ err }, "queue") });
const relay = startRelay({ producer, sweepS, log });
const reconciler = startReconciler({ producer, store: objectStore(), sweepS, graceS, log });
log.info("control is up");

onShutdown(
  async () => {
    await Promise.all([relay.close(), reconciler.close()]);
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
