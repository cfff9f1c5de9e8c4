import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fillBlanks } from "@/boards";
import { type FillStep, getEngine, type Plan, type Step } from "@/engines";
import { type Build, buildSchema, deployedSchema, type NewEndpoint } from "@/lib/common/contract";
import { planRequest } from "@/tests/support/compiler/plan-request";
import { loadSample } from "@/tests/support/compiler/samples";
import { type Builder, startOwnBuilder } from "./build/own-stack";

/**
 * Seconds of a build by stage, for `iris-mlp` and `digits-mlp` or the one named, beside the bare tools on the same files;
 * then of the same request on another clock. The builds run on the Boardwalk at PORTAL_URL, else on stores and a worker of
 * this process; each has a model card of its own, so that no artifact is reused.
 */
const portal = process.env["PORTAL_URL"] ?? "http://localhost:3000";
const packages = resolve(process.env["TOOLS_DIR"] ?? ".boardwalk/tools", "node_modules/@yowasp");
const tools: Readonly<Record<string, readonly [folder: string, run: string]>> = {
  yosys: ["yosys", "runYosys"],
  "nextpnr-ice40": ["nextpnr-ice40", "runNextpnrIce40"],
  icepack: ["nextpnr-ice40", "runIcepack"],
};
const finalStates = new Set(["succeeded", "failed", "cancelled", "timed_out"]);
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1).padStart(7)} s`;

/** Of the whole build to the bare tools, at most. */
const goalRatio = 1.1;
/** Of the same request on another clock to the first one, at most. */
const goalRepeat = 0.5;
const otherClockHz = 24_000_000;
const names = process.argv.slice(2);
const samples = (["iris-mlp", "digits-mlp"] as const).filter(
  (sample) => names.length === 0 || names.includes(sample),
);

const builder = await findBuilder();
for (const sample of samples) {
  const card = { ...loadSample(sample).card, title: `build bench ${Date.now()}` };
  const plan = getEngine("boardwalk").plan(planRequest(sample, "icebreaker", { card }));
  const request = {
    name: `bench-${sample}`,
    engine: "boardwalk",
    model: { url: `s3://boardwalk-samples/${sample}/model.onnx`, card },
    board: { model: "icebreaker", kind: "simulated" },
  } as const;
  const build = await builder.build(request);
  const bare = runBare(plan, build.report?.clockHz);
  console.log(`\n${sample}`);
  for (const [stage, ms] of bare) {
    const ours = build.stages.find(({ name }) => name === stage)?.durationMs ?? null;
    const beside = ours === null ? "" : `, our stage ${seconds(ours)}`;
    console.log(`  ${stage.padEnd(11)} bare ${seconds(ms)}${beside}`);
  }
  const bareMs = [...bare.values()].reduce((sum, ms) => sum + ms, 0);
  console.log(`  all tools   bare ${seconds(bareMs)}`);
  for (const { name, durationMs } of build.stages) {
    if (!bare.has(name) && durationMs !== null) {
      console.log(`  ${name.padEnd(11)}                 our stage ${seconds(durationMs)}`);
    }
  }
  // By the clock: a netlist is proven while it is placed.
  const ourMs = lasted(build);
  const at = build.report?.clockHz ? ` at ${build.report.clockHz / 1e6} MHz` : "";
  console.log(`  whole build ${build.state}${at}: ${seconds(ourMs)}`);
  const ratio = ourMs / bareMs;
  console.log(
    `  ratio whole build / bare tools: ${ratio.toFixed(2)} (goal <= ${goalRatio}: ${ratio <= goalRatio ? "met" : "missed"})`,
  );
  const again = await builder.build({
    ...request,
    name: `${request.name}-again`,
    options: { clockHz: otherClockHz },
  });
  for (const { name, durationMs } of again.stages)
    if (durationMs !== null)
      console.log(`  ${name.padEnd(11)} at another clock  ${seconds(durationMs)}`);
  const repeat = lasted(again) / ourMs;
  console.log(
    `  the same request at ${otherClockHz / 1e6} MHz ${again.state}: ${seconds(lasted(again))}, ratio ${repeat.toFixed(2)} (goal <= ${goalRepeat}: ${repeat <= goalRepeat ? "met" : "missed"})`,
  );
}
await builder.stop();

/** Milliseconds by the clock. */
function lasted({ startedAt, endedAt }: Build): number {
  return Date.parse(endedAt ?? "") - Date.parse(startedAt ?? "");
}

/** Runs the tool steps that the build ran, down the ladder to `clockHz`; milliseconds by stage. */
function runBare(plan: Plan, clockHz: number | undefined): Map<string, number> {
  const folder = mkdtempSync(join(tmpdir(), "bw-bench-build-"));
  const times = new Map<string, number>();
  try {
    const last = Math.max(
      0,
      plan.variants.findIndex((variant) => variant.clockHz === clockHz),
    );
    runSteps(folder, [...plan.steps, ...plan.synthesis], plan.files, times);
    for (const variant of plan.variants.slice(0, last + 1)) {
      runSteps(folder, variant.steps, new Map([...plan.files, ...variant.files]), times);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return times;
}

function runSteps(
  folder: string,
  steps: readonly Step[],
  files: Plan["files"],
  times: Map<string, number>,
): void {
  for (const [name, content] of files) writeFileSync(join(folder, name), content);
  for (const step of steps) {
    if (step.kind === "fill-blanks") fill(folder, step);
    if (step.kind !== "tool") continue;
    for (const product of step.produces) rmSync(join(folder, product), { force: true });
    const [tool = "", run = ""] = tools[step.command] ?? [];
    const module = join(process.cwd(), "bench/build-tool.mjs");
    const bundle = join(packages, tool, "gen/bundle.js");
    const started = performance.now();
    const child = spawnSync(process.execPath, [module, bundle, run, ...step.args], {
      cwd: folder,
      stdio: ["ignore", "ignore", "inherit"],
    });
    if (child.status !== 0) throw new Error(`${step.name} ended with status ${child.status}`);
    times.set(step.stage, (times.get(step.stage) ?? 0) + performance.now() - started);
  }
}

function fill(folder: string, { mapped, top, filling, netlist }: FillStep): void {
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  const filled = fillBlanks(read(mapped), top, JSON.parse(read(filling)));
  writeFileSync(join(folder, netlist), filled.netlist);
}

/** The Boardwalk at PORTAL_URL where it answers, else one of this process. */
async function findBuilder(): Promise<Builder> {
  const answers = await fetch(`${portal}/api/v1/engines`).then(
    ({ ok }) => ok,
    () => false,
  );
  if (answers) return { build: buildOnPortal, stop: async () => {} };
  console.log(`No Boardwalk at ${portal}: building in this process.`);
  return await startOwnBuilder();
}

/** Builds through the API and waits for the end. */
async function buildOnPortal(request: NewEndpoint): Promise<Build> {
  const name = `${request.name}-${Date.now()}`;
  const api = `${portal}/api/v1`;
  const headers = { "content-type": "application/json", "idempotency-key": name };
  const asked = { method: "POST", headers, body: JSON.stringify({ ...request, name }) };
  const answer = await fetch(`${api}/endpoints`, asked);
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  const { buildId } = deployedSchema.parse(await answer.json());
  for (;;) {
    const reply = await fetch(`${api}/builds/${buildId}`);
    const build = buildSchema.parse(await reply.json());
    if (finalStates.has(build.state)) {
      await fetch(`${api}/endpoints/${name}`, { method: "DELETE" });
      if (build.reused) throw new Error(`${buildId} was reused: nothing was measured`);
      return build;
    }
    await new Promise((done) => setTimeout(done, 500));
  }
}
