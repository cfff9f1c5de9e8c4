import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { Graph, GraphConstant } from "@/compiler";
import { readRows } from "@/lib/common/rows";
import { runThread } from "@/lib/server/process";
import type { CpuAnswer, FloatTask } from "@/workers/builds/stages/float.thread";
import { inspectAndRead } from "@/workers/inspect";
import { bundleFolder } from "./folders";

const bytesOf = (id: string) => new Uint8Array(readFileSync(`public/samples/${id}/model.onnx`));
const rowsOf = (id: string, width: number) =>
  readRows(readFileSync(`public/samples/${id}/test.csv`), width, "test.csv").rows;
const ask = <T>(task: FloatTask) => runThread<T>("workers/builds/stages/float.thread", task);

async function readGraph(bytes: Uint8Array): Promise<Graph> {
  const { graph } = await inspectAndRead(bytes);
  if (!graph) throw new Error("no graph");
  return graph;
}

beforeAll(async () => {
  vi.stubEnv("BOARDWALK_BUNDLES", await bundleFolder());
});

describe("check-import", { timeout: 300_000 }, () => {
  it.each([
    ["iris-mlp", 4],
    ["digits-mlp", 64],
    ["jets-small-mlp", 16],
  ])("finds our reading of %s in agreement with ONNX Runtime", async (id, width) => {
    const model = bytesOf(id);
    const graph = await readGraph(model);
    for (const rows of [rowsOf(id, width), null]) {
      expect(await ask({ kind: "check-import", model, graph, rows })).toBe(64);
    }
  });

  it("names the output when one weight was read wrongly", async () => {
    const model = bytesOf("iris-mlp");
    const graph = await readGraph(model);
    const [name, weights] = [...graph.constants].find(([, { shape }]) => shape.length === 2) ?? [];
    if (!name || !weights) throw new Error("no weights");
    const wrong: GraphConstant = { ...weights, values: weights.values.map((value) => -value) };
    const constants = new Map([...graph.constants, [name, wrong]]);
    await expect(
      ask({ kind: "check-import", model, graph: { ...graph, constants }, rows: null }),
    ).rejects.toMatchObject({
      reason: "IMPORT_MISMATCH",
      details: { output: graph.outputs[0]?.name },
    });
  });
});

describe("a CPU model", { timeout: 300_000 }, () => {
  it("answers its own rows, which become the vector file", async () => {
    const model = bytesOf("iris-mlp");
    const graph = await readGraph(model);
    const rows = rowsOf("iris-mlp", 4);
    const answer = await ask<CpuAnswer>({ kind: "answer", model, graph, rows, classes: true });
    expect(answer.rows).toBe(38);
    expect([answer.inputs.length, answer.outputs.length]).toEqual([38 * 4 * 4, 38 * 3 * 4]);
    expect(answer.agreement).toMatchObject({ agreement: 1, floatAccuracy: 37 / 38 });
    expect(answer.agreement?.maxAbsError).toBeLessThan(1e-5);
    const first = new Float32Array(answer.outputs.slice(0, 12).buffer);
    expect(first.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 5);
  });

  it("is refused when ONNX Runtime cannot load it", async () => {
    const graph = await readGraph(bytesOf("iris-mlp"));
    await expect(
      ask({ kind: "answer", model: Uint8Array.of(1, 2, 3), graph, rows: null, classes: false }),
    ).rejects.toMatchObject({ reason: "MODEL_INVALID" });
  });
});
