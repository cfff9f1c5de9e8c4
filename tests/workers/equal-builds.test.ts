import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { cancelBuild, getBuild, readLog } from "@/domain/builds";
import type { Build, NewEndpoint } from "@/lib/common/contract";
import { database } from "@/lib/server/db";
import type { WorkerHandle } from "@/workers/runtime";
import { bare, scope } from "../support/domain";
import { pair } from "../support/pair";
import { startWorkerStack, type WorkerStack } from "./worker-stack";

let stack: WorkerStack;
let worker: WorkerHandle;

beforeAll(async () => {
  stack = await startWorkerStack({ concurrency: 2, steps: "own" });
});
afterEach(() => worker.close());
afterAll(() => stack.stop());

/** `card` makes a plan of its own. */
const firmware = (name: string, title: string): NewEndpoint => ({
  name,
  engine: "boardwalk",
  model: {
    url: "s3://boardwalk-samples/pair/model.onnx",
    card: { ...pair.card, title },
  },
  board: { model: "icebreaker", kind: "simulated" },
  // One clock only: place and route are not what is tried here.
  options: { clockHz: 12_000_000 },
});
const stateOf = ({ stages }: Build, stage: string) =>
  stages.find(({ name }) => name === stage)?.state;
const toolLines = async (id: string) =>
  (await readLog(scope, id, { from: 1, limit: 10_000 })).lines.filter(
    ({ stream }) => stream !== "boardwalk",
  ).length;

describe("equal builds at once", { timeout: 900_000 }, () => {
  it("are made once", async () => {
    worker = stack.startBuilder();
    const ids = await Promise.all(
      ["one", "two"].map((name) => stack.deploy(firmware(name, "once"))),
    );
    const builds = await Promise.all(ids.map((id) => stack.ended(id)));
    expect(builds.map(({ state }) => state)).toEqual(["succeeded", "succeeded"]);
    expect(new Set(builds.map(({ artifactDigest }) => artifactDigest)).size).toBe(1);
    expect(builds.map(({ reused }) => reused).sort()).toEqual([false, true]);
    const lines = await Promise.all(ids.map(toolLines));
    expect(lines.filter((count) => count > 0)).toHaveLength(1);
  });

  it("go on with the one that is left when the first is cancelled", async () => {
    worker = stack.startBuilder();
    const first = await stack.deploy(firmware("three", "taken over"));
    await stack.reached(first, (build) => stateOf(build, "simulate") === "running");
    const second = await stack.deploy(firmware("four", "taken over"));
    const waiting = await stack.reached(second, (build) =>
      Boolean(build.waitingFor?.match(/equal/)),
    );
    // It shows the stages of the one that works for both.
    expect(stateOf(waiting, "fetch")).toBe("succeeded");
    await cancelBuild(scope, first);
    expect((await stack.ended(first)).state).toBe("cancelled");
    expect(await stack.ended(second)).toMatchObject({ state: "succeeded", reused: false });
    const { lines } = await readLog(scope, second, { from: 1, limit: 10_000 });
    const taken = "core netlist: the products of an equal step are taken.";
    expect(lines.map(({ text }) => text)).toContain(taken);
  });
});

describe("a worker that is stopped", { timeout: 900_000 }, () => {
  it("gives its build back without charging it, and the next worker makes it", async () => {
    worker = stack.startBuilder({ drain: 500 });
    const id = await stack.deploy(firmware("five", "handed back"));
    await stack.reached(id, (build) => stateOf(build, "simulate") === "running");
    await worker.close();
    const row = await database().build.findUniqueOrThrow({ where: { id: bare(id) } });
    expect(row).toMatchObject({ state: "queued", chargedAttempts: 0, leaseEpoch: 1 });
    worker = stack.startBuilder();
    expect(await stack.ended(id)).toMatchObject({ state: "succeeded", attempt: 2 });
    const attempts = await database().attempt.findMany({
      where: { buildId: bare(id) },
      orderBy: { epoch: "asc" },
    });
    expect(attempts.map(({ outcome }) => outcome)).toEqual(["handed_back", "succeeded"]);
    expect((await getBuild(scope, id)).problem).toBeNull();
  });
});
