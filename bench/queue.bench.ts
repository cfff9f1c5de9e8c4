import type { BuildQueue, ProjectQuotas } from "@/lib/common/contract";
import { deploy } from "@/tests/support/client";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { quantile } from "./quantile";

/**
 * What a submit takes while builds wait: `npm run bench -- queue BUILDS`. No build worker runs, so that all of them stay in the queue;
 * the first, and those behind every further tenth of them, are timed one by one from eight clients.
 */
const builds = Number(process.argv[2] ?? 10_000);
const clients = 8;
const parts = 10;
const say = (text: string) => process.stdout.write(`${text}\n`);

const installation = await startInstallation("bench-queue");
try {
  await installation.processes.stop("build-worker");
  await liftLimits(installation);
  say("builds in the queue   p50, ms   p99, ms   submits/s");
  for (let part = 0; part < parts; part++) await submit(part);
  const waiting = await counted(installation);
  say(`${waiting} builds wait`);
  if (waiting !== builds) throw new Error(`${builds} were submitted`);
} finally {
  await installation.stop();
}
process.exit(0);

/** Has any number of builds wait. */
async function liftLimits({ api }: Installation): Promise<void> {
  const { body } = await api("/quotas");
  const [{ project, limits }] = (body as { items: [ProjectQuotas] }).items;
  const { status } = await api(`/projects/${project.id}/quotas`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...limits, queuedBuilds: null }),
  });
  if (status >= 300) throw new Error(`the limits stay: ${status}`);
}

/** Submits a tenth of all builds. */
async function submit(part: number): Promise<void> {
  const share = builds / parts;
  const tookMs: number[] = [];
  let next = 0;
  const startMs = performance.now();
  const client = async () => {
    while (next < share) {
      const n = part * share + next++;
      const fromMs = performance.now();
      await deploy(installation, {
        name: `queued-${n}`,
        engine: "boardwalk",
        model: { url: "s3://boardwalk-samples/iris-mlp/model.onnx" },
        board: { model: "icebreaker", kind: "simulated" },
        // A plan of its own, so that no build waits for another's artifact.
        options: { clockHz: 12_000_000 + n },
      });
      tookMs.push(performance.now() - fromMs);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const perSecond = (1000 * share) / (performance.now() - startMs);
  const at = (share: number) => quantile(tookMs, share).toFixed(0);
  say(
    `${String(part * share).padStart(19)} ${at(0.5).padStart(9)} ${at(0.99).padStart(9)} ${perSecond.toFixed(0).padStart(11)}`,
  );
}

async function counted({ api }: Installation): Promise<number> {
  const { body } = await api("/builds/queue");
  return (body as BuildQueue).waiting;
}
