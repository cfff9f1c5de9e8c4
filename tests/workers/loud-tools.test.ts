import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cancelBuild, claimBuild, readLog, requeue, succeedBuild } from "@/domain/builds";
import type { NewEndpoint } from "@/lib/common/contract";
import { httpStatusOf, toAppError } from "@/lib/common/errors";
import { database, sql, withTransaction } from "@/lib/server/db";
import { buckets } from "@/lib/server/storage";
import type { Toolchain } from "@/workers/builds/tools";
import { inspectBytes } from "@/workers/inspect";
import { artifactOf, bare, scope } from "../support/domain";
import { onnxFile } from "../support/onnx";
import { startWorkerStack, type WorkerStack } from "./worker-stack";

const script = resolve("tests/workers/fake-tool.sh");
let stack: WorkerStack;
let worker: ReturnType<WorkerStack["startBuilder"]>;
/** What every tool of the worker does, as `fake-tool.sh` calls it. */
let mode = "yes";

const toolchain: Toolchain = {
  getTool: async (command) => ({
    command,
    version: "1",
    needs: [script],
    argv: () => ["/bin/sh", script, mode],
  }),
  versions: async (commands) => Object.fromEntries(commands.map((command) => [command, "1"])),
  found: async () => ({}),
};

beforeAll(async () => {
  stack = await startWorkerStack({ leaseS: 8, renewS: 0.5 });
  worker = stack.startBuilder({ toolchain, limits: { diskBytes: 20 * 2 ** 20 } });
});
afterAll(async () => {
  await worker.close();
  await stack.stop();
});

const firmware = (name: string, key = "iris-mlp/model.onnx"): NewEndpoint => ({
  name,
  engine: "boardwalk",
  model: { url: `s3://boardwalk-samples/${key}` },
  board: { model: "icebreaker", kind: "simulated" },
});
/** A model with one input of this name. */
const modelWith = (name: string) => {
  const [input, output] = [name, "y"].map((each) => ({
    name: each,
    datatype: "FP32" as const,
    shape: [-1, 4],
  }));
  if (!input || !output) throw new TypeError();
  return onnxFile([input], [output], {
    node: [{ opType: "Relu", name: "n", input: [name], output: ["y"] }],
  });
};
/** Processes whose command line names a folder of the worker's. */
const runningTools = () =>
  execFileSync("ps", ["-eo", "ppid,args"], { encoding: "utf8" })
    .split("\n")
    .filter((each) => each.includes(stack.home));
const linesOf = async (id: string) => (await readLog(scope, id, { from: 1, limit: 1000 })).lines;

describe("text that tools and models bring", { timeout: 300_000 }, () => {
  it.each(["a\0b", "a\u001b[31mb", "a\nforged", "a\u009bb"])(
    "refuses a model with an input called %j, by upload and by URL",
    async (name) => {
      const bytes = modelWith(name);
      const error = toAppError(await inspectBytes(bytes).catch((thrown: unknown) => thrown));
      expect([error.reason, httpStatusOf(error)]).toEqual(["MODEL_INVALID", 422]);
      expect(error.message).not.toMatch(/\p{Cc}/u);
    },
  );

  it("ends the build of such a model with the reason, in one line of its log", async () => {
    const bytes = modelWith("a\0b\n\u001b[31mforged");
    await stack.store.put(buckets.samples, "nul/model.onnx", bytes, { sizeBytes: bytes.length });
    const id = await stack.deploy(firmware("nul", "nul/model.onnx"));
    const build = await stack.ended(id, 240_000);
    expect(build.problem?.reason).toBe("MODEL_INVALID");
    const lines = await linesOf(id);
    expect(lines.at(-1)?.text).toContain("a␀b␊␛[31mforged");
    for (const { text } of lines) expect(text).not.toMatch(/\p{Cc}/u);
  });

  it("stores a line that is cut beside a surrogate pair, and ends as the tool does", async () => {
    mode = "pair";
    const id = await stack.deploy(firmware("pair"));
    const build = await stack.ended(id, 240_000);
    expect(build.problem?.reason).toBe("TOOL_FAILED");
    const texts = (await linesOf(id)).map(({ text }) => text);
    expect(texts.some((text) => /^x{16383} … \(line cut\)$/.test(text))).toBe(true);
  });
});

describe("a tool that never stops talking", { timeout: 300_000 }, () => {
  it("keeps its lease and its log, holds up nobody, and ends soon after a cancel", async () => {
    mode = "yes";
    const id = await stack.deploy(firmware("yes"));
    await stack.reached(id, ({ state }) => state === "running", 240_000);
    const before = process.memoryUsage().rss;
    const loop = monitorEventLoopDelay({ resolution: 10 });
    loop.enable();
    const leaseOf = async () => {
      const row = await database().build.findUniqueOrThrow({ where: { id: bare(id) } });
      return row.leaseUntil?.getTime() ?? 0;
    };
    const lease = await leaseOf();
    const lines = async () => (await readLog(scope, id, { from: 1, limit: 1 })).total;
    await expect.poll(lines, { timeout: 120_000 }).toBeGreaterThan(10_000);
    await expect.poll(leaseOf, { timeout: 60_000 }).toBeGreaterThan(lease + 1000);
    const asked = performance.now();
    await cancelBuild(scope, id);
    const build = await stack.ended(id, 120_000);
    const tookMs = performance.now() - asked;
    loop.disable();
    expect(build.state).toBe("cancelled");
    // Twenty seconds are promised; a busy machine gets three times that.
    expect(tookMs).toBeLessThan(60_000);
    const grownMiB = (process.memoryUsage().rss - before) / 2 ** 20;
    expect(grownMiB).toBeLessThan(400);
    expect(loop.percentile(99) / 1e6).toBeLessThan(500);
    await expect.poll(runningTools).toEqual([]);
    expect((await linesOf(id)).some(({ text }) => text === "y")).toBe(true);
  });
});

describe("a build that another attempt has ended", { timeout: 300_000 }, () => {
  it("is found to be gone by the worker that comes late, whose tool ends and who writes nothing", async () => {
    mode = "hang";
    const id = await stack.deploy(firmware("late-worker"));
    await expect.poll(runningTools, { timeout: 240_000 }).not.toEqual([]);
    const buildId = bare(id);
    // As if it had been frozen: its lease is taken back, and another worker is done before it wakes.
    const back = { buildId, actor: "reconciler", reason: "LEASE_LOST", charge: true } as const;
    await withTransaction((tx) => requeue(tx, { ...back, where: sql`TRUE` }));
    const other = await claimBuild(buildId, "other", { leaseS: 60, deadlineS: 600 });
    expect(other?.epoch).toBe(2);
    await succeedBuild(buildId, 2, { artifact: artifactOf("another attempt's") });
    const ended = await stack.ended(id);
    await expect.poll(runningTools, { timeout: 60_000 }).toEqual([]);
    const attempts = await database().attempt.findMany({
      where: { buildId },
      orderBy: { epoch: "asc" },
      select: { epoch: true, outcome: true },
    });
    expect(attempts).toEqual([
      { epoch: 1, outcome: "lost" },
      { epoch: 2, outcome: "succeeded" },
    ]);
    expect(await stack.ended(id)).toEqual(ended);
  });
});

describe("a tool that writes more than it may", { timeout: 300_000 }, () => {
  it("fails its build, which no other attempt would mend", async () => {
    mode = "disk";
    const id = await stack.deploy(firmware("disk"));
    const build = await stack.ended(id, 240_000);
    expect(build).toMatchObject({ state: "failed", attempt: 1, problem: { reason: "NO_SPACE" } });
    await expect.poll(runningTools).toEqual([]);
  });
});

describe("a build that takes longer than it may", { timeout: 300_000 }, () => {
  it("is ended by its worker, says so, keeps what its tool said and leaves no process", async () => {
    mode = "begin";
    const id = await stack.deploy(firmware("late"));
    const texts = async () => (await linesOf(id)).map(({ text }) => text);
    await expect.poll(texts, { timeout: 240_000 }).toContain("Info: the first step is done");
    await database().build.update({ where: { id: bare(id) }, data: { deadlineAt: new Date(0) } });
    const build = await stack.ended(id, 120_000);
    expect([build.state, build.problem?.reason]).toEqual(["timed_out", "BUILD_TIMED_OUT"]);
    await expect.poll(runningTools).toEqual([]);
    const kept = await texts();
    expect(kept).toEqual(expect.arrayContaining(["Info: the first step is done", "half a line"]));
    expect(kept.at(-1)).toMatch(/took longer than it may/);
  });
});
