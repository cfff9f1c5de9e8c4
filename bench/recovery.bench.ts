import { z } from "zod";
import { type Build, finalBuildStates } from "@/lib/common/contract";
import { pace } from "@/lib/server/env/fragments";
import { deploy, until, wait } from "@/tests/support/client";
import { startInstallation } from "@/tests/support/installation";
import { median } from "./median";

/**
 * A build worker is killed with SIGKILL while a tool runs, as `npm start` runs it and at its default pace: seconds until the
 * next attempt of its build begins.
 */
const kills = Number(process.env["BENCH_KILLS"] ?? 9);
const goalS = 12;

const installation = await startInstallation("recovery", {
  steps: "own",
  variables: Object.fromEntries(
    Object.entries(z.object(pace).parse({})).map(([name, seconds]) => [name, String(seconds)]),
  ),
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
  const p50 = median(took);
  process.stdout.write(`${kills} kills: ${took.map((each) => each.toFixed(1)).join(", ")} s\n`);
  process.stdout.write(
    `p50 ${p50.toFixed(1)} s, longest ${Math.max(...took).toFixed(1)} s (goal p50 <= ${goalS} s: ${p50 <= goalS ? "met" : "missed"})\n`,
  );
} finally {
  await installation.stop();
}
