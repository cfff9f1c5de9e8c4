import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { getPriority } from "node:os";
import { join, resolve } from "node:path";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { runThread, startThread } from "@/lib/server/process";

// Below the packages, since bundles resolve them from where they lie.
const cache = resolve("node_modules/.cache");
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, "thread-"));

const source = `
import { readlinkSync } from "node:fs";
import { getPriority } from "node:os";
import { basename } from "node:path";
import { answerThread, lowerThreadPriority } from "@/lib/server/process";
import { fail } from "@/lib/common/errors";
answerThread(async (data) => {
  if (data === "throw") throw fail("MODEL_TOO_LARGE", "too big", { hint: "smaller" });
  if (data === "bug") throw new TypeError("secret detail");
  if (data === "exit") process.exit(3);
  if (data === "step back") {
    lowerThreadPriority();
    const own = Number(basename(readlinkSync("/proc/thread-self")));
    return { main: getPriority(process.pid), own: getPriority(own) };
  }
  if (data === "spin") for (;;);
  return { twice: data.map((x) => x * 2) };
});`;

beforeAll(() => {
  buildSync({
    stdin: { contents: source, resolveDir: resolve("."), loader: "ts" },
    outfile: join(folder, "some-task.thread.mjs"),
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    alias: { "@": resolve(".") },
  });
  vi.stubEnv("BOARDWALK_BUNDLES", folder);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const entry = "some/task.thread";

describe("threads", () => {
  it("run one task and give its value with its arrays", async () => {
    const answer = await runThread(entry, new Float64Array([1, 2.5]));
    expect(answer).toEqual({ twice: new Float64Array([2, 5]) });
  });

  it.runIf(process.platform === "linux")("step back behind all other threads", async () => {
    const main = getPriority(process.pid);
    expect(await runThread(entry, "step back")).toEqual({ main, own: Math.max(main, 10) });
  });

  it("carry an AppError across, and show nothing of a bug", async () => {
    await expect(runThread(entry, "throw")).rejects.toMatchObject({
      reason: "MODEL_TOO_LARGE",
      hint: "smaller",
    });
    await expect(runThread(entry, "bug")).rejects.toMatchObject({
      reason: "INTERNAL",
      message: expect.not.stringContaining("secret"),
    });
  });

  it("answer several requests and go on after an error", async () => {
    const thread = startThread(entry);
    const answers = await Promise.allSettled([
      thread.run([1]),
      thread.run("throw"),
      thread.run([2]),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    await thread.close();
    await expect(thread.run([1])).rejects.toMatchObject({ reason: "CANCELLED" });
  });

  it("end at a time limit or an abort, even while they compute", async () => {
    await expect(runThread(entry, "spin", { timeoutMs: 100 })).rejects.toMatchObject({
      reason: "DEADLINE_EXCEEDED",
    });
    const signal = AbortSignal.timeout(100);
    await expect(runThread(entry, "spin", { signal })).rejects.toMatchObject({
      reason: "CANCELLED",
    });
  });

  it("reject what waits when they die", async () => {
    await expect(runThread(entry, "exit")).rejects.toMatchObject({ reason: "INTERNAL" });
  });

  it("say which bundle is missing", () => {
    expect(() => startThread("no/such.thread")).toThrow(/no\/such.thread/);
  });
});
