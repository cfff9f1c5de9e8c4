import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exportOnnx, type Graph, runIntegerGraph } from "@/compiler";
import { randomFrom } from "@/compiler/random";
import { getArtifact } from "@/domain/artifacts";
import type { NewEndpoint } from "@/lib/common/contract";
import { buckets } from "@/lib/server/storage";
import { openWorkbench, type Workbench } from "@/tests/hardware/support/plan-runner";
import { mapGraph } from "@/tests/support/compiler/map-graph";
import { quantizedGraph } from "@/tests/support/compiler/quantized-graph";
import { randomGraph } from "@/tests/support/compiler/random-graph";
import { rowsFor, simulateAdders } from "@/tests/support/da4ml/simulate-adders";
import { scope } from "@/tests/support/domain";
import { startWorkerStack, type WorkerStack } from "@/tests/workers/worker-stack";

// Networks of adders by da4ml: thirty of all sizes against the integer graph, and whole builds by the worker.

/** From 2-2-1 to 16-64-32-32-5: every size of each layer lies between those of the two. */
function sizesOf(step: number): readonly number[] {
  const share = step / 29;
  const between = (low: number, high: number) => Math.round(low * (high / low) ** share);
  const inner = [between(2, 64), between(2, 32), between(2, 32)];
  return [between(2, 16), ...inner.slice(0, 1 + Math.round(2 * share)), between(1, 5)];
}

describe("thirty random networks", () => {
  let bench: Workbench;
  beforeAll(async () => {
    bench = await openWorkbench();
  });
  afterAll(() => bench.close());

  it.each(Array.from({ length: 30 }, (_, step) => ({ seed: step + 1, sizes: sizesOf(step) })))(
    "$sizes answers 200 vectors as the integer graph does",
    async ({ seed, sizes }) => {
      const graph = randomGraph(sizes, { seed, relu: "mixed" });
      const { run, stages, latencyCycles } = await simulateAdders(graph, { bench, levels: 2 });
      expect(stages).toBeLessThanOrEqual(latencyCycles - 3);
      for (const row of rowsFor(graph, { count: 200, integer: randomFrom(seed).integer })) {
        const values = [...runIntegerGraph(graph, row).output];
        expect(run(row)).toEqual({ values, cycles: latencyCycles });
      }
    },
    1_800_000,
  );
});

/** Small models of other kinds, as ONNX files have them. */
const others = {
  tanh: (): Graph => {
    const net = mapGraph([-1, 4]);
    const hidden = net.add("Tanh", [net.add("Gemm", [net.input], dense(4, 6))]);
    return net.finish(net.add("Gemm", [hidden], dense(6, 3)), [-1, 3]);
  },
  quantised: (): Graph => {
    const signed = (fraction: number) => ({ type: "INT8" as const, zero: 0, fraction });
    return quantizedGraph({ sizes: [4, 6, 3], input: signed(5), stops: [signed(3), null] });
  },
  maps: (): Graph => {
    const net = mapGraph([-1, 1, 5, 5]);
    const pooled = net.add("MaxPool", [net.relu(net.conv(net.input, [2, 1, 2, 2]))], {
      attributes: { kernel_shape: [2, 2], strides: [2, 2] },
    });
    return net.finish(net.dense(pooled, 8, 3), [-1, 3]);
  },
};
const dense = (inputs: number, outputs: number) => ({
  attributes: { transB: 1 },
  weights: [[outputs, inputs], [outputs]],
});

const hgq2 = new Uint8Array(readFileSync("tests/fixtures/hgq2/mlp.keras"));

describe("a build of firmware by da4ml", { timeout: 1_800_000 }, () => {
  let stack: WorkerStack;
  let worker: ReturnType<WorkerStack["startBuilder"]>;
  beforeAll(async () => {
    stack = await startWorkerStack();
    worker = stack.startBuilder();
    await stack.store.put(buckets.samples, "hgq2/mlp.keras", hgq2, { sizeBytes: hgq2.length });
  });
  afterAll(async () => {
    await worker.close();
    await stack.stop();
  });

  it.each(["ulx3s-25f", "ice40-hx8k-evn"])(
    "is proven, placed and reported on %s",
    async (board) => {
      const request: NewEndpoint = {
        name: `da4ml-${board}`,
        engine: "hls4ml",
        model: { url: "s3://boardwalk-samples/iris-mlp/model.onnx" },
        board: { model: board, kind: "simulated" },
        options: { precision: "smallest" },
      };
      const build = await stack.ended(await stack.deploy(request));
      expect(build.problem).toBeNull();
      const { proof, accuracy, resources = [], sections = [], clocks = [] } = build.report ?? {};
      expect(proof).toMatchObject({ mismatches: 0, rows: 38, source: "held-back rows" });
      expect(proof?.levels?.map(({ level }) => level)).toEqual(
        expect.arrayContaining(["rtl", "netlist"]),
      );
      expect(accuracy).toMatchObject({ labelled: true, test: { rows: 38 } });
      expect(resources.find(({ id }) => id === "lut")?.used).toBeGreaterThan(1000);
      expect(sections.map(({ id }) => id)).toContain("core-stage-1");
      expect(clocks.length).toBeGreaterThan(0);
      const { manifest } = await getArtifact(scope, build.artifactDigest ?? "");
      expect(manifest.tools).toMatchObject({ hls4ml: expect.stringContaining("da4ml 0.6.0") });
      expect(manifest.files.map(({ role }) => role)).toEqual(
        expect.arrayContaining(["bitstream", "simulation", "placement", "verilog"]),
      );
    },
  );

  it.each([
    { what: "a function from a table", file: "tanh", board: "ulx3s-85f" },
    { what: "quantisers of ONNX", file: "quantised", board: "ulx3s-25f" },
    { what: "convolutions and a pool", file: "maps", board: "ulx3s-85f" },
  ])("is proven of a model with $what", async ({ file, board }) => {
    const graph = others[file as keyof typeof others]();
    const bytes = exportOnnx(graph);
    const key = `da4ml/${file}/model.onnx`;
    await stack.store.put(buckets.samples, key, bytes, { sizeBytes: bytes.length });
    const build = await stack.ended(
      await stack.deploy({
        name: `da4ml-${file}`,
        engine: "hls4ml",
        model: { url: `s3://${buckets.samples}/${key}` },
        board: { model: board, kind: "simulated" },
        options: { precision: "smallest" },
        inputRange: { min: -1, max: 1 },
      }),
    );
    expect(build.problem).toBeNull();
    expect(build.report?.proof).toMatchObject({
      mismatches: 0,
      levels: [{ level: "rtl" }, { level: "netlist" }],
    });
  });

  const hgq2Build = async (name: string, board: NewEndpoint["board"]) =>
    await stack.ended(
      await stack.deploy({
        name,
        engine: "hls4ml",
        model: { url: `s3://${buckets.samples}/hgq2/mlp.keras` },
        board,
        options: {},
      }),
    );

  it("is proven against the program that da4ml made of a model with layers of HGQ2", async () => {
    const build = await hgq2Build("hgq2-ulx3s", { model: "ulx3s-25f", kind: "simulated" });
    expect(build.problem).toBeNull();
    expect(build.report?.proof).toMatchObject({
      mismatches: 0,
      source: "the original, on every vector",
      levels: [{ level: "rtl" }, { level: "netlist" }],
    });
    const { manifest } = await getArtifact(scope, build.artifactDigest ?? "");
    expect(manifest.files.map(({ role }) => role)).toEqual(
      expect.arrayContaining(["bitstream", "graph", "simulation"]),
    );
  });

  it("is an emulation of the same model on a CPU board", async () => {
    const build = await hgq2Build("hgq2-cpu", { model: "cpu", kind: "cpu" });
    expect(build.problem).toBeNull();
    expect(build.report?.proof).toMatchObject({ mismatches: 0 });
  });

  it("fails where da4ml's network rounds otherwise than the integer graph", async () => {
    const mutation = join(stack.home, "rounding.json");
    const change = { file: "trace.py", from: '"SAT", "RND"', to: '"SAT", "TRN"' };
    writeFileSync(mutation, JSON.stringify(change));
    await worker.close();
    worker = stack.startBuilder({ mutation: `file:${mutation}` });
    const build = await stack.ended(
      await stack.deploy({
        name: "da4ml-rounding",
        engine: "hls4ml",
        model: { url: "s3://boardwalk-samples/iris-mlp/model.onnx" },
        board: { model: "ulx3s-25f", kind: "simulated" },
        options: { precision: "smallest" },
      }),
    );
    expect(build.problem).toMatchObject({ reason: "VERIFICATION_FAILED" });
  });
});
