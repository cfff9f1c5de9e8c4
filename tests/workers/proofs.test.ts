import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getArtifact } from "@/domain/artifacts";
import { readLog } from "@/domain/builds";
import { digestOf, hexOf } from "@/lib/server/digest";
import { buckets } from "@/lib/server/storage";
import { chooseSandbox } from "@/workers/builds/tools";
import { scope } from "../support/domain";
import { firmware, statesOf } from "./firmware";
import { startWorkerStack, type WorkerStack } from "./worker-stack";

// What a build proves beyond its core: the bitstream that is read back, the serial shell, the same bytes from anywhere.

let stack: WorkerStack;
let worker: ReturnType<WorkerStack["startBuilder"]>;

beforeAll(async () => {
  stack = await startWorkerStack();
  worker = stack.startBuilder({ checkers: false });
});
afterAll(async () => {
  await worker?.close();
  await stack?.stop();
});

describe("a build", { timeout: 900_000 }, () => {
  it("proves the serial shell too where boards will run that", async () => {
    const id = await stack.deploy({
      ...firmware("pair-shell", "pair"),
      options: { simulate: "shell", clockHz: 12_000_000 },
    });
    const build = await stack.ended(id);
    expect(build.problem).toBeNull();
    expect(build.report?.clockLabel).toBe("12 MHz");
    expect(build.report?.proof?.levels?.map(({ level }) => level)).toEqual([
      "rtl",
      "netlist",
      "shell",
    ]);
    const { manifest } = await getArtifact(scope, build.artifactDigest ?? "");
    expect(manifest).toMatchObject({ simulate: "shell", clockHz: 12_000_000 });
    expect(manifest.files.map(({ role }) => role)).toContain("simulation-shell");
    const { lines } = await readLog(scope, id, { from: 1, limit: 100_000 });
    expect(lines.some(({ text: line }) => /16 vectors went through the serial/.test(line))).toBe(
      true,
    );
  });

  it("takes no artifact that a checker has found wrong, until one finds it right and adds that proof", async () => {
    // A design without memories can be read back.
    const options = { architecture: "unrolled", precision: "smallest", clockHz: 12_000_000 };
    const build = async (name: string, checkers: boolean | "lying") => {
      await worker.close();
      worker = stack.startBuilder({ checkers });
      return await stack.ended(await stack.deploy({ ...firmware(name, "pair"), options }));
    };
    const unchecked = await build("small", false);
    expect(unchecked).toMatchObject({ state: "succeeded", reused: false });
    const wrong = { state: "failed", problem: { reason: "VERIFICATION_FAILED" } };
    expect(await build("small-lied-of", "lying")).toMatchObject(wrong);
    expect(await build("small-refused", false)).toMatchObject(wrong);
    const proven = await build("small-checked", true);
    expect(proven).toMatchObject({ reused: true, artifactDigest: unchecked.artifactDigest });
    expect(proven.report?.proof?.levels?.map(({ level }) => level)).toEqual([
      "rtl",
      "netlist",
      "bitstream",
    ]);
    expect(statesOf(proven)).toMatchObject({ verify: "succeeded", synthesise: "skipped" });
    const after = await build("small-unchecked-again", false);
    expect(after).toMatchObject({ reused: true, report: { proof: proven.report?.proof } });
    expect(statesOf(after)).toMatchObject({ verify: "skipped" });
  });

  it("makes the same bytes again in another home, in another sandbox and with every checker", async () => {
    const first = await stack.ended(await stack.deploy(firmware("iris")));
    await worker.close();
    const artifact = await getArtifact(scope, first.artifactDigest ?? "");
    // Its bytes are lost, so that an equal build makes them again.
    for (const { digest } of artifact.manifest.files)
      await stack.store.delete(buckets.artifacts, hexOf(digest));
    const home = mkdtempSync(join(tmpdir(), "bw-other-"));
    const sandbox = await chooseSandbox("setpriv");
    worker = stack.startBuilder({ checkers: true, elsewhere: { home, sandbox } });
    const build = await stack.ended(await stack.deploy(firmware("iris-elsewhere")));
    expect(build).toMatchObject({ state: "succeeded", artifactDigest: artifact.digest });
    expect(statesOf(build)["place"]).toBe("succeeded");
    for (const { digest } of artifact.manifest.files) {
      const { stream } = await stack.store.get(buckets.artifacts, hexOf(digest));
      expect(digestOf(Buffer.concat(await stream.toArray()))).toBe(digest);
    }
    rmSync(home, { recursive: true, force: true });
  });
});
