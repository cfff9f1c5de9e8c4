import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CpuOptions, loadCpu } from "@/board-server/devices/cpu";
import type { LoadedModel } from "@/board-server/devices/device";
import { type Attribute, exportOnnx } from "@/compiler";
import type { Manifest } from "@/lib/common/contract";
import type { Tensor } from "@/lib/common/tensor";
import { readFrames, writeFrame } from "@/lib/server/board-protocol";
import { bundle } from "@/scripts/bundle.mjs";
import { onnxDatatypes, onnxFile, type Signature } from "@/tests/support/onnx";
import { GraphBuilder } from "@/tests/support/random-models/graph-builder";
import { openSession } from "@/workers/builds/stages/float-session";

// What a model does to its own process, and what the board server makes of it.

const folder = mkdtempSync(join(tmpdir(), "bw-cpu-"));
const path = join(folder, "model.onnx");
const input: Signature = { name: "x", datatype: "INT64", shape: [2] };
const output: Signature = { name: "y", datatype: "FP32", shape: [-1, -1] };
const loaded: LoadedModel[] = [];

beforeAll(async () => {
  process.env["BOARDWALK_BUNDLES"] ??= await bundle();
  // Answers a matrix of the size that it is asked for: as large as anybody likes.
  const value = { name: "value", dataType: onnxDatatypes.FP32, dims: [1n], floatData: [1] };
  const attribute = [{ name: "value", type: 4, t: value }];
  const node = { opType: "ConstantOfShape", name: "fill", input: ["x"], output: ["y"], attribute };
  writeFileSync(path, onnxFile([input], [output], { node: [node], initializer: [] }));
});
afterAll(async () => {
  for (const model of loaded) await model.close();
  rmSync(folder, { recursive: true });
});

async function load(
  options?: CpuOptions,
  runtime?: Manifest["runtime"],
  place?: Parameters<typeof loadCpu>[3],
): Promise<LoadedModel> {
  const manifest = {
    io: { inputs: [{ ...input, size: 1 }], outputs: [{ ...output, size: 1 }] },
    runtime,
  } as unknown as Manifest;
  const model = await loadCpu(manifest, path, options, place);
  loaded.push(model);
  return model;
}

const ask = (model: LoadedModel, side: number) => {
  const data = BigInt64Array.of(BigInt(side), BigInt(side));
  return model.infer([{ name: "x", datatype: "INT64", shape: [2], data } satisfies Tensor]);
};
const sizeOf = async (model: LoadedModel, side: number) =>
  (await ask(model, side)).outputs[0]?.data.length;

/** Processes below this one that run a session. */
function sessions(): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter(Number.isInteger)
    .filter((pid) => {
      try {
        const parent = / (\d+) /.exec(
          readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1] ?? "",
        );
        const words = readFileSync(`/proc/${pid}/cmdline`, "utf8");
        return Number(parent?.[1]) === process.pid && words.includes("session.child");
      } catch {
        return false;
      }
    });
}

describe("a model on the CPU", () => {
  it("tells what it holds", async () => {
    const model = await load();
    expect(await sizeOf(model, 3)).toBe(9);
    await expect.poll(() => model.memoryBytes?.()).toBeGreaterThan(20 * 2 ** 20);
  });

  it("that takes more memory than it may fails in words, and serves on", async () => {
    const model = await load({ memoryLimitBytes: 400 * 2 ** 20 });
    // A gigabyte and more of ones.
    await expect(ask(model, 20_000)).rejects.toMatchObject({
      reason: "SLOT_MEMORY",
      message: expect.stringContaining("400 MiB"),
      hint: expect.stringContaining("BOARD_SERVER_CPU_MEMORY_MB"),
    });
    expect(await sizeOf(model, 4)).toBe(16);
  });

  it("holds no answer longer than its call", async () => {
    const model = await load({ memoryLimitBytes: 400 * 2 ** 20 });
    // A gigabyte in all, a mebibyte at a time.
    for (let n = 0; n < 1024; n++) expect(await sizeOf(model, 512)).toBe(512 * 512);
    expect(model.memoryBytes?.()).toBeLessThan(400 * 2 ** 20);
  });

  it("whose process is killed fails that request alone, and hurts no other model", async () => {
    const [model, other] = [await load(), await load()];
    const before = new Set(sessions());
    const third = await load();
    const [pid] = sessions().filter((each) => !before.has(each));
    const busy = ask(third, 12_000);
    process.kill(pid ?? 0, "SIGKILL");
    await expect(busy).rejects.toMatchObject({ reason: "INTERNAL" });
    expect(await sizeOf(third, 5)).toBe(25);
    for (const each of [model, other]) expect(await sizeOf(each, 2)).toBe(4);
  });

  it("leaves no process when it is unloaded", async () => {
    const before = sessions().length;
    const model = await load();
    expect(sessions()).toHaveLength(before + 1);
    await model.close();
    await expect.poll(() => sessions().length).toBe(before);
    await expect(ask(model, 2)).rejects.toMatchObject({ reason: "CANCELLED" });
  });

  it("is unloaded under calls on its own socket, each answered or refused", async () => {
    const calls = 64;
    const place = { slotId: "slt_1", slotEpoch: 1, revisionId: "rev_1" };
    const model = await load(undefined, undefined, place);
    const socket = connect(model.direct?.() ?? "");
    const heads: unknown[] = [];
    readFrames(socket, ({ head }) => {
      heads.push(head);
      // As a gateway does, once it has what it waits for.
      if (heads.length === calls + 1) socket.end();
    });
    const data = BigInt64Array.of(1000n, 1000n);
    for (let id = 1; id <= calls; id++)
      writeFrame(socket, { id, ...place, waitMs: 60_000 }, [
        { name: "x", datatype: "INT64", shape: [2], parts: [data] },
      ]);
    await expect.poll(() => heads.length).toBeGreaterThan(2);
    const startMs = performance.now();
    await model.close();
    // One that hangs is ended after ten seconds.
    expect(performance.now() - startMs).toBeLessThan(9000);
    await expect.poll(() => heads).toHaveLength(calls + 1);
    expect(heads).toContainEqual({ leaving: true });
  });

  it("has the threads that its artifact asks for", async () => {
    const threadsOf = async (threads: number) => {
      const before = new Set(sessions());
      await load(undefined, { threads, spin: false });
      const [pid] = sessions().filter((each) => !before.has(each));
      return readdirSync(`/proc/${pid}/task`).length;
    };
    expect((await threadsOf(5)) - (await threadsOf(1))).toBe(4);
  });
});

describe("zeros around an image", () => {
  const values = Float32Array.of(-1, -2, -3, -4, -5, -6, -7, -8, -9);
  const image = { datatype: "FP32", shape: [1, 1, 3, 3] } as const;

  /** Zeros on every side of 3 × 3 pixels, and an operator that reads them. */
  function padded(operator: string, margin: number, attributes: Record<string, Attribute>) {
    const graph = new GraphBuilder();
    const sides = [0, 0, margin, margin];
    const pads = graph.constant([8], [...sides, ...sides], "INT64");
    const inputs = [graph.node("Pad", ["x", pads])];
    if (operator === "Conv") inputs.push(graph.constant([1, 1, 2, 2], [1, 1, 1, 1]));
    const name = graph.node(operator, inputs, attributes);
    const result = { name, datatype: "FP32" as const, shape: [1, 1, -1, -1] };
    return { result, file: exportOnnx(graph.graph([{ name: "x", ...image }], [result])) };
  }

  it.each<[string, string, number, Record<string, Attribute>, number[]]>([
    [
      "are the largest of negative values",
      "MaxPool",
      1,
      { kernel_shape: [3, 3] },
      [0, 0, 0, 0, -1, 0, 0, 0, 0],
    ],
    [
      "are more than the margin of a maximum may be",
      "MaxPool",
      2,
      { kernel_shape: [2, 2], strides: [2, 2], pads: [0, 0, 1, 1] },
      [0, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    ],
    [
      "are more than the margin of a mean may be",
      "AveragePool",
      2,
      { kernel_shape: [2, 2], strides: [2, 2] },
      [0, 0, 0, 0, -3, -2.25, 0, -3.75, -2.25],
    ],
    [
      "count in a mean beside the margin that does not",
      "AveragePool",
      1,
      { kernel_shape: [2, 2], strides: [3, 3], pads: [1, 1, 0, 0] },
      [0, 0, 0, -7],
    ],
    ["are summed up by a convolution", "Conv", 1, { strides: [2, 2] }, [-1, -5, -11, -28]],
  ])("%s: %s", async (_, operator, margin, attributes, wanted) => {
    const { result, file } = padded(operator, margin, attributes);
    const place = join(folder, "padded.onnx");
    writeFileSync(place, file);
    const io = { inputs: [{ name: "x", ...image, size: 9 }], outputs: [{ ...result, size: 1 }] };
    const model = await loadCpu({ io } as unknown as Manifest, place);
    loaded.push(model);
    const served = await model.infer([{ name: "x", ...image, data: values }]);
    expect(Array.from(served.outputs[0]?.data ?? [], Number)).toEqual(wanted);
    const session = await openSession(file);
    const judged = await session.run(new Map([["x", { ...image, values }]]));
    expect(Array.from(judged.get(result.name)?.data ?? [], Number)).toEqual(wanted);
    await session.close();
  });
});
