import { type Build, finalBuildStates } from "@/lib/common/contract";
import { deploy, until, wait } from "@/tests/support/client";
import { startInstallation } from "@/tests/support/installation";

/**
 * A build worker is killed with SIGKILL while a tool runs, as `npm start` runs it and at its default pace: seconds until the
 * next attempt of its build begins.
 */
const kills = Number(process.env["BENCH_KILLS"] ?? 9);
const goalS = 12;

const installation = await startInstallation("recovery", {
  steps: "own",
  variables: { LEASE_S: "9", RENEW_S: "2", SWEEP_S: "2", GRACE_S: "20" },
});

const reached = (what: string, buildId: string, is: (build: Build) => boolean): Promise<Build> =>
  until(what, async () => {
    const { body } = await installation.api(`/builds/${buildId}`);
    return is(body) ? (body as Build) : null;
  });

const isInTool = ({ stages }: Build): boolean =>
  stages.some(({ name, state }) => name === "synthesise" && state === "running");

async function secondsToNextAttempt(round: number): Promise<number> {
  const { buildId } = await deploy(installation, {
    name: `recovery-${round}`,
    engine: "boardwalk",
    model: { url: "s3://boardwalk-samples/digits-mlp/model.onnx" },
    board: { model: "icebreaker", kind: "simulated" },
    // Another design each time, so that a tool runs.
    options: { weightBits: 3 + (round % 5), activationBits: 4 + Math.floor(round / 5) },
  });
  const { attempt } = await reached("a tool runs", buildId, isInTool);
  // At any moment between two renewals of the lease.
  await wait((round * 700) % 2000);
  const worker = installation.processes.running.get("build-worker");
  if (!worker?.pid) throw new Error("there is no build worker");
  const killed = performance.now();
  process.kill(worker.pid, "SIGKILL");
  await reached("the next attempt", buildId, (build) => build.attempt > attempt);
  const took = (performance.now() - killed) / 1000;
  await installation.api(`/builds/${buildId}/cancel`, { method: "POST" });
  await reached("the end", buildId, ({ state }) => finalBuildStates.has(state));
  return took;
}

try {
  const took: number[] = [];
  for (let round = 0; round < kills; round++) took.push(await secondsToNextAttempt(round));
  const sorted = took.toSorted((a, b) => a - b);
  const p50 = sorted[sorted.length >> 1] ?? 0;
  process.stdout.write(`${kills} kills: ${took.map((each) => each.toFixed(1)).join(", ")} s\n`);
  process.stdout.write(
    `p50 ${p50.toFixed(1)} s, longest ${(sorted.at(-1) ?? 0).toFixed(1)} s (goal p50 <= ${goalS} s: ${p50 <= goalS ? "met" : "missed"})\n`,
  );
} finally {
  await installation.stop();
}
