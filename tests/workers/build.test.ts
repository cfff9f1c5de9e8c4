import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getArtifact } from "@/domain/artifacts";
import { cancelBuild, readLog } from "@/domain/builds";
import {
  type Build,
  type NewEndpoint,
  placementSchema,
  vectorsSchema,
} from "@/lib/common/contract";
import { database } from "@/lib/server/db";
import { digestOf, digestOfJson, hexOf } from "@/lib/server/digest";
import { buckets } from "@/lib/server/storage";
import { bare, scope } from "../support/domain";
import { firmware, statesOf } from "./firmware";
import { startWorkerStack, type WorkerStack } from "./worker-stack";

let stack: WorkerStack;
let worker: ReturnType<WorkerStack["startBuilder"]>;

beforeAll(async () => {
  stack = await startWorkerStack({ steps: "own" });
  worker = stack.startBuilder({ checkers: false });
});
afterAll(async () => {
  await worker.close();
  await stack.stop();
});

const cpu = (name: string): NewEndpoint => ({
  ...firmware(name),
  engine: "onnx",
  board: { model: "cpu", kind: "cpu" },
});
const wholeLog = async (id: string) =>
  (await readLog(scope, id, { from: 1, limit: 100_000 })).lines;

// A quiet machine takes some twenty seconds for the first build; a busy one many times that.
describe("build worker", { timeout: 900_000 }, () => {
  let first: Build;

  it("makes a proven, signed bitstream of iris-mlp", async () => {
    const id = await stack.deploy(firmware("iris"));
    first = await stack.ended(id);
    expect(first.problem).toBeNull();
    expect(first.state).toBe("succeeded");
    expect(new Set(Object.values(statesOf(first)))).toEqual(new Set(["succeeded"]));
    for (const { durationMs } of first.stages) expect(durationMs).not.toBeNull();
    const { proof, resources, achievedMhz = 0, clockHz = 0 } = first.report ?? { resources: [] };
    expect(proof).toMatchObject({ mismatches: 0, rows: 38, source: "held-back rows" });
    expect(proof?.vectors).toBeGreaterThanOrEqual(1000);
    const [rtl, netlist, another] = proof?.levels ?? [];
    expect(rtl).toEqual({ level: "rtl", vectors: proof?.vectors });
    expect(netlist?.level).toBe("netlist");
    expect(netlist?.vectors).toBeGreaterThanOrEqual(3);
    expect(another).toBeUndefined();
    expect(proof?.agreement).toBeGreaterThan(0.9);
    expect(achievedMhz * 1e6).toBeGreaterThanOrEqual(clockHz);
    expect(resources.find(({ id: each }) => each === "lut")?.used).toBeGreaterThan(100);
  });

  it("stores every file under the digest that the signed manifest names", async () => {
    const { manifest, signature, digest } = await getArtifact(scope, first.artifactDigest ?? "");
    expect(digestOfJson(manifest)).toBe(digest);
    expect(signature).toMatchObject({ digest, keyId: stack.key.keyId });
    expect(manifest.files.map(({ role }) => role).sort()).toEqual([
      "bitstream",
      "graph",
      "placement",
      "report",
      "simulation",
      "vectors",
      "verilog",
    ]);
    for (const file of manifest.files) {
      const { stream } = await stack.store.get(buckets.artifacts, hexOf(file.digest));
      const bytes = Buffer.concat(await stream.toArray());
      expect(digestOf(bytes)).toBe(file.digest);
      expect(bytes.length).toBe(file.sizeBytes);
    }
    const file = manifest.files.find(({ role }) => role === "vectors");
    const { stream } = await stack.store.get(buckets.artifacts, hexOf(file?.digest ?? ""));
    const vectors = vectorsSchema.parse(JSON.parse(await text(stream)));
    expect(vectors.rows).toBe(first.report?.proof?.vectors);
    const drawn = manifest.files.find(({ role }) => role === "placement");
    const bytes = await stack.store.get(buckets.artifacts, hexOf(drawn?.digest ?? ""));
    const placement = placementSchema.parse(JSON.parse(await text(bytes.stream)));
    const cells = placement.tiles.filter((_, at) => at % 5 === 4);
    const used = first.report?.resources.reduce((sum, resource) => sum + resource.used, 0) ?? 0;
    expect(cells.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(used);
  });

  it("keeps a log without gaps, in the tools' own words, and compacts it", async () => {
    const lines = await wholeLog(first.id);
    expect(lines.map(({ n }) => n)).toEqual(lines.map((_, index) => index + 1));
    expect(lines.some(({ text: line }) => line.includes("SYNTH_ICE40"))).toBe(true);
    expect(lines.some(({ text: line }) => line.includes("Max frequency"))).toBe(true);
    const proven = lines.find(({ text: line }) =>
      /^The synthesised netlist answers \d+ vectors .* through its serial line\.$/.test(line),
    );
    expect(proven?.stage).toBe("verify");
    // What goes on beside each placing comes in one piece.
    const tries = lines.filter(({ text: line }) => line.startsWith("place and route: ")).length;
    const begun = lines.findIndex(({ stage }) => stage === "place");
    const pieces = lines
      .slice(begun)
      .filter(({ stage }, at, all) => stage === "simulate" && all[at - 1]?.stage !== stage);
    expect(tries).toBeGreaterThan(0);
    const fills = lines.filter(({ text: line }) => line.startsWith("fill in clock and identity: "));
    expect(fills).toHaveLength(tries);
    expect(pieces).toHaveLength(tries);
    const synthesise = first.stages.find(({ name }) => name === "synthesise");
    const own = lines.filter(({ stage }) => stage === "synthesise");
    expect([own[0]?.n, own.at(-1)?.n]).toEqual([synthesise?.firstLine, synthesise?.lastLine]);
    await expect
      .poll(async () => {
        const row = await database().attempt.findFirstOrThrow({
          where: { buildId: bare(first.id) },
        });
        return row.logObject;
      })
      .not.toBeNull();
    const { stream } = await stack.store.get(buckets.logs, `${bare(first.id)}/1.jsonl`);
    const stored = (await text(stream)).trimEnd().split("\n");
    expect(stored.map((row) => JSON.parse(row))).toEqual(lines);
    expect(await database().logChunk.count({ where: { buildId: bare(first.id) } })).toBe(0);
    expect(await wholeLog(first.id)).toEqual(lines);
  });

  it("leaves no work folder and no readable key", () => {
    expect(readdirSync(join(stack.home, "work"))).toEqual([]);
    expect(statSync(join(stack.home, "keys/signing.pem")).mode & 0o777).toBe(0o600);
  });

  it("takes the artifact of an equal build without starting a tool", async () => {
    const again = await stack.ended(await stack.deploy(firmware("iris-again")));
    expect(again).toMatchObject({
      state: "succeeded",
      reused: true,
      artifactDigest: first.artifactDigest,
    });
    expect(statesOf(again)).toMatchObject({
      plan: "succeeded",
      synthesise: "skipped",
      verify: "skipped",
      store: "skipped",
    });
    expect((await wholeLog(again.id)).some(({ stream }) => stream !== "boardwalk")).toBe(false);
  });

  it("synthesises once, however many clocks and placements are tried", async () => {
    const build = async (name: string, options: Readonly<Record<string, number>>) => {
      const id = await stack.deploy({ ...firmware(name, "pair"), options });
      const ended = await stack.ended(id);
      const lines = (await wholeLog(id)).map(({ text: line }) => line);
      const count = (start: string) => lines.filter((line) => line.startsWith(start)).length;
      return {
        reason: ended.problem?.reason,
        tries: count("place and route: nextpnr-ice40"),
        synthesis: count("synthesise: yosys"),
        taken: count("synthesise: the products of an equal step are taken."),
      };
    };
    const twice = await build("too-fast", { clockHz: 96_000_000, seeds: 2 });
    expect(twice).toEqual({ reason: "TIMING_NOT_MET", tries: 2, synthesis: 1, taken: 0 });
    // Another clock, another digest: the same netlist.
    const slower = await build("another-clock", { clockHz: 72_000_000 });
    expect(slower).toMatchObject({ tries: 1, synthesis: 1, taken: 1 });
  });

  it("makes a CPU artifact of the model itself", async () => {
    const build = await stack.ended(await stack.deploy(cpu("iris-cpu")));
    expect(build.problem).toBeNull();
    expect(statesOf(build)).toMatchObject({ synthesise: "skipped", verify: "succeeded" });
    expect(build.report?.proof).toMatchObject({ rows: 38, agreement: 1, floatAccuracy: 37 / 38 });
    const { manifest } = await getArtifact(scope, build.artifactDigest ?? "");
    expect(manifest.files.map(({ role }) => role)).toEqual(["model", "vectors", "report"]);
    expect(manifest.part).toBeUndefined();
  });

  it("cancels in the middle of a tool and leaves nothing", async () => {
    const id = await stack.deploy(firmware("digits", "digits-mlp"));
    await stack.reached(id, (build) => statesOf(build)["synthesise"] === "running");
    await cancelBuild(scope, id);
    const build = await stack.ended(id, 60_000);
    expect(build).toMatchObject({ state: "cancelled", problem: { reason: "CANCELLED" } });
    expect(statesOf(build)["synthesise"]).toBe("cancelled");
    const { lines } = await readLog(scope, id, { attempt: 1, from: 1, limit: 20_000 });
    expect(lines.filter(({ level }) => level === "error")).toEqual([]);
    expect(existsSync(join(stack.home, "work", bare(id)))).toBe(false);
  });

  it("fails with the reason of a source that is not there", async () => {
    const build = await stack.ended(
      await stack.deploy({
        ...firmware("nothing"),
        model: { url: "s3://boardwalk-samples/iris-mlp/none.onnx" },
      }),
    );
    expect(build).toMatchObject({ state: "failed", problem: { reason: "SOURCE_NOT_FOUND" } });
    expect(statesOf(build)).toMatchObject({ fetch: "failed", plan: "waiting" });
  });
});
