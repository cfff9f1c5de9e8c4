import { statfs } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { registerSigningKey } from "@/domain/artifacts";
import { findAttempt } from "@/domain/builds";
import { hasWaitingJobs } from "@/domain/reconcile";
import type { Digest } from "@/lib/common/contract";
import { checkSchemaVersion, closeDatabase, pingDatabase } from "@/lib/server/db";
import { digestOf } from "@/lib/server/digest";
import { buildWorkerEnv, secretsOf } from "@/lib/server/env";
import { logger } from "@/lib/server/logger";
import { gauge, label, linesOf, OwnProcess, startOwnStatusServer } from "@/lib/server/metrics";
import { onShutdown, openProcess, processName, watchLoop, watchParent } from "@/lib/server/process";
import { pingRedis } from "@/lib/server/queue";
import { buckets, objectStore, pingStore } from "@/lib/server/storage";
import { inspectProcessor } from "../inspect";
import { startWorker } from "../runtime";
import { loadArtifactKey } from "./artifact-key";
import { sweepWorkFolders } from "./attempt";
import { serveBond } from "./bond-server";
import { BondHost } from "./hosts";
import { startPresence } from "./presence";
import { createBuildProcessor } from "./processor";
import {
  chooseSandbox,
  createStepCache,
  createToolchain,
  findMissingTools,
  mendSandbox,
  nativeFamilies,
  suiteFolders,
  vendorPaths,
} from "./tools";

openProcess();
const env = buildWorkerEnv();
const log = logger().child({ process: "build" });
const home = env.BOARDWALK_HOME;
/** Between looks for folders that dead workers of this home left. */
const sweepMs = 600_000;

await checkSchemaVersion(env.DATABASE_URL);
const store = objectStore();
for (const bucket of [buckets.artifacts, buckets.attempts, buckets.logs]) {
  await store.ensureBucket(bucket);
}
const key = await loadArtifactKey(env.SIGNING_KEY_FILE ?? join(home, "keys/signing.pem"));
await registerSigningKey(key);
const sandbox = await chooseSandbox(env.SANDBOX);
log[sandbox.kind === "bubblewrap" ? "info" : "warn"]({ sandbox: sandbox.kind }, "sandbox of tools");
const mend = await mendSandbox(sandbox, env.SANDBOX);
const sweep = async () => {
  const swept = await sweepWorkFolders(home, findAttempt);
  if (swept > 0) log.info({ swept }, "work folders of lost attempts removed");
};
await sweep();
setInterval(() => void sweep(), sweepMs).unref();

const { BOND_BUILD_ADDRESS: address, BOND_BUILD_STORE: storeUrl } = env;
const host = address && storeUrl ? new BondHost({ address, storeUrl }, { storage: store }) : null;
const toolchain = createToolchain({
  native: nativeFamilies(env),
  suites: suiteFolders(env),
  vendor: vendorPaths(env),
  hosts: host ? { "bond-build": host.place.address } : {},
  toolsDir: env.TOOLS_DIR ?? join(home, "tools"),
});
const build = createBuildProcessor(
  {
    home,
    leaseS: env.LEASE_S,
    renewS: env.RENEW_S,
    deadlineS: env.BUILD_TIMEOUT_S,
    proofS: env.PROOF_S,
    storePatienceS: env.STORE_PATIENCE_S,
    secrets: [
      ...secretsOf(env),
      ...[env.S3_ACCESS_KEY, env.BOND_BUILD_STORE_KEY].filter((key) => key !== undefined),
    ],
  },
  {
    store,
    key,
    sandbox,
    limits: {
      memoryBytes: env.TOOL_MEMORY_MB * 2 ** 20,
      cpuS: env.TOOL_CPU_S,
      diskBytes: env.TOOL_DISK_MB * 2 ** 20,
    },
    readsBack: env.READ_BACK === "auto",
    cache: createStepCache(
      env.STEP_CACHE_DIR ?? join(home, "cache/steps"),
      env.STEP_CACHE_MB * 2 ** 20,
    ),
    toolchain,
    host,
    sourceDigest: (env.BOARDWALK_SOURCE_DIGEST ?? digestOf("unbundled")) as Digest,
    mutation: env.BOARDWALK_FAULTS === undefined ? null : (env.BOARDWALK_TEST_MUTATION ?? null),
  },
);
const worker = startWorker({
  redisUrl: env.REDIS_URL,
  processors: [build, inspectProcessor],
  concurrency: env.WORKER_CONCURRENCY,
  hasWaiting: hasWaitingJobs,
});
const presence = startPresence({
  worker: {
    name: processName(),
    host: hostname(),
    sandbox: sandbox.kind,
    mend,
    slots: env.WORKER_CONCURRENCY,
  },
  findTools: () => findMissingTools(toolchain),
  log,
});
const ownProcess = new OwnProcess();
const status = await startOwnStatusServer({
  port: env.WORKER_METRICS_PORT,
  variable: "WORKER_METRICS_PORT",
  checks: { postgres: pingDatabase, redis: () => pingRedis(env.REDIS_URL), storage: pingStore },
  text: async () => {
    const { bavail, bsize } = await statfs(home);
    return linesOf(
      gauge(
        "boardwalk_jobs_running",
        "Jobs that this worker runs, by queue.",
        [...worker.running()].map(([queue, count]) => [label({ queue }), count]),
      ),
      gauge("boardwalk_job_slots", "Jobs of a queue that it runs at a time.", [
        ["", env.WORKER_CONCURRENCY],
      ]),
      gauge("boardwalk_disk_free_bytes", "Room where it works.", [["", bavail * bsize]]),
      ownProcess.lines(),
    );
  },
});
const buildServer = await serveBond(env);
log.info("build worker is up");

onShutdown(
  async () => {
    await status?.close();
    await buildServer?.close();
    await worker.close();
    await presence.close();
    await closeDatabase();
  },
  {
    deadlineMs: 60_000,
    onStart: (cause) => log.info({ cause }, "build worker stops"),
    onError: (err) => log.error({ err }, "build worker stopped badly"),
  },
);
watchParent();
watchLoop({ log });
