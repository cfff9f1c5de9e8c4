import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getBuild } from "@/domain/builds";
import { type Build, finalBuildStates, type NewEndpoint } from "@/lib/common/contract";
import { isAppError } from "@/lib/common/errors";
import { closeDatabase } from "@/lib/server/db";
import { digestOf } from "@/lib/server/digest";
import { logger } from "@/lib/server/logger";
import { createProducer } from "@/lib/server/queue";
import { buckets, objectStore } from "@/lib/server/storage";
import { addRevision, deploy } from "@/tests/support/deploy";
import { loadArtifactKey } from "@/workers/builds/artifact-key";
import { createBuildProcessor } from "@/workers/builds/processor";
import {
  chooseSandbox,
  createStepCache,
  createToolchain,
  type Sandbox,
  type Tool,
  type Toolchain,
  type ToolLimits,
} from "@/workers/builds/tools";
import { startRelay } from "@/workers/control/relay";
import { inspectProcessor } from "@/workers/inspect";
import { startWorker } from "@/workers/runtime";
import { scope } from "../support/domain";
import { handOverSteps } from "../support/hand-over-steps";
import { pair } from "../support/pair";
import { startPostgres } from "../support/postgres";
import { bundleFolder, toolsFolder } from "./folders";
import { startRedis } from "./redis-server";

export interface StackOptions {
  readonly leaseS?: number;
  readonly renewS?: number;
  readonly deadlineS?: number;
  readonly drainMs?: number;
  readonly concurrency?: number;
  /** How long vectors may go through simulated lines: here the least number of them is enough. */
  readonly proofS?: number;
  /** `own`: the tools really run here, whatever other suites had made. */
  readonly steps?: "own";
}

/** A tool that turns the logic of the Verilog it writes round. */
const lying = (tool: Tool): Tool => ({
  ...tool,
  version: "lying",
  argv: (call) => [
    "/bin/sh",
    "-c",
    `"$@" && sed -i 's/ ? !/ ? /g' ${call.produces.join(" ")}`,
    "sh",
    ...tool.argv(call),
  ],
});

const sharedSteps = (home: string) => process.env["STEP_CACHE_DIR"] ?? join(home, "cache/steps");

/** Relay and build worker in this process, on real stores of their own, with the samples in the bucket. */
export async function startWorkerStack(options: StackOptions = {}) {
  const home = mkdtempSync(join(tmpdir(), "bw-worker-"));
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  Object.assign(process.env, {
    BOARDWALK_HOME: home,
    BOARDWALK_BUNDLES: await bundleFolder(),
    DATABASE_URL: await postgres.newDatabase(),
    REDIS_URL: redis.url,
    STORAGE_DIR: join(home, "objects"),
  });
  const store = objectStore();
  for (const bucket of Object.values(buckets)) await store.ensureBucket(bucket);
  for (const sample of ["iris-mlp", "digits-mlp", "jets-small-mlp"]) {
    for (const name of readdirSync(join("public/samples", sample))) {
      const bytes = readFileSync(join("public/samples", sample, name));
      await store.put(buckets.samples, `${sample}/${name}`, bytes, { sizeBytes: bytes.length });
    }
  }
  for (const [name, bytes] of Object.entries({
    "model.onnx": pair.model,
    "card.json": Buffer.from(JSON.stringify(pair.card)),
  }))
    await store.put(buckets.samples, `pair/${name}`, bytes, { sizeBytes: bytes.length });
  const log = logger();
  const producer = createProducer({ url: redis.url, onError: () => {} });
  const relay = startRelay({ producer, sweepS: 0.5, log });
  const key = await loadArtifactKey(join(home, "keys/signing.pem"));
  const sandbox = await chooseSandbox("auto");
  const ownSteps = join(home, "cache/steps");
  const cache = createStepCache(options.steps === "own" ? ownSteps : sharedSteps(home), 2 ** 30);
  const { leaseS = 15, renewS = 0.3, deadlineS = 600, drainMs = 30_000, proofS = 0.1 } = options;

  const startBuilder = ({
    mutation = null as string | null,
    drain = drainMs,
    toolsDir = toolsFolder,
    builderStore = store,
    vendor = {} as { readonly vivado?: string; readonly quartus?: string },
    /** Another home, cache and sandbox: as on another machine. */
    elsewhere = null as { readonly home: string; readonly sandbox: Sandbox } | null,
    /** Whether bitstreams are read back, with commands that the machine has or has not; `lying` ones read something else. */
    checkers = null as boolean | "lying" | null,
    /** Whether it inspects models too. */
    inspects = false,
    /** How long the object store may be away. */
    storePatienceS = 1800,
    /** What one tool may use. */
    limits = {} as Partial<ToolLimits>,
    toolchain: all = createToolchain({ native: new Set(), toolsDir, vendor }),
  } = {}) => {
    const toolchain: Toolchain =
      checkers === null
        ? all
        : {
            ...all,
            found: async (commands) =>
              checkers ? Object.fromEntries(commands.map((name) => [name, "any"])) : {},
            getTool: async (command) => {
              const tool = await all.getTool(command);
              return checkers === "lying" && command === "icebox_vlog" ? lying(tool) : tool;
            },
          };
    return startWorker({
      redisUrl: redis.url,
      concurrency: options.concurrency ?? 1,
      drainMs: drain,
      hasWaiting: async () => false,
      processors: [
        ...(inspects ? [inspectProcessor] : []),
        createBuildProcessor(
          {
            home: elsewhere?.home ?? home,
            leaseS,
            renewS,
            deadlineS,
            proofS,
            storePatienceS,
            fullRestS: 0.1,
            secrets: ["planted-secret"],
          },
          {
            store: builderStore,
            key,
            toolchain,
            sandbox: elsewhere?.sandbox ?? sandbox,
            limits,
            readsBack: checkers !== null,
            cache: elsewhere ? createStepCache(join(elsewhere.home, "steps"), 2 ** 30) : cache,
            sourceDigest: digestOf("test sources"),
            mutation,
          },
        ),
      ],
    });
  };

  /** Null where the database does not answer just now: machines are busy at times. */
  const lookAt = (id: string): Promise<Build | null> =>
    getBuild(scope, id).catch((error: unknown) => {
      if (isAppError(error) && error.code === "unavailable") return null;
      throw error;
    });

  return {
    home,
    store,
    key,
    redis,
    producer,
    startBuilder,
    deploy: async (request: NewEndpoint) => (await deploy(scope, request)).buildId,
    addRevision,
    async ended(id: string, timeoutMs = 850_000): Promise<Build> {
      const limit = Date.now() + timeoutMs;
      for (;;) {
        const build = await lookAt(id);
        if (build && finalBuildStates.has(build.state)) return build;
        if (Date.now() > limit) throw new Error(`build ${id} is still ${build?.state}`);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
    async reached(id: string, check: (build: Build) => boolean, timeoutMs = 850_000) {
      const limit = Date.now() + timeoutMs;
      for (;;) {
        const build = await lookAt(id);
        if (build && check(build)) return build;
        if ((build && finalBuildStates.has(build.state)) || Date.now() > limit) {
          throw new Error(`build ${id} is ${build?.state}: ${JSON.stringify(build?.problem)}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    async stop() {
      await relay.close();
      await producer.close();
      await closeDatabase();
      await Promise.all([redis.stop(), postgres.stop()]);
      if (options.steps === "own") handOverSteps(ownSteps);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

export type WorkerStack = Awaited<ReturnType<typeof startWorkerStack>>;
