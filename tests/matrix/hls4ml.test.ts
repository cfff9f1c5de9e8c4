import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { strToU8, unzipSync, zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readLog } from "@/domain/builds";
import type { Build, NewEndpoint } from "@/lib/common/contract";
import { hexOf } from "@/lib/server/digest";
import { buckets } from "@/lib/server/storage";
import { scope } from "@/tests/support/domain";
import { EmulatedBoards, filesOf } from "@/tests/workers/emulated-boards";
import { startWorkerStack, type WorkerStack } from "@/tests/workers/worker-stack";

// Keras models through hls4ml itself, by the worker, in the sandbox, to a program that a board runs.

let stack: WorkerStack;
let worker: ReturnType<WorkerStack["startBuilder"]>;
let boards: EmulatedBoards;

beforeAll(async () => {
  stack = await startWorkerStack();
  worker = stack.startBuilder();
  boards = new EmulatedBoards(stack);
});
afterAll(async () => {
  await boards.close();
  await worker.close();
  await stack.stop();
});

const fixture = (id: string, name = "model.keras") =>
  readFileSync(`tests/fixtures/models/${id}/${name}`);

async function put(key: string, bytes: Uint8Array): Promise<string> {
  await stack.store.put(buckets.samples, key, bytes, { sizeBytes: bytes.length });
  return `s3://${buckets.samples}/${key}`;
}

/** A model of the bucket; with rows and card of the sample of the same data, where one is named. */
async function model(name: string, bytes: Uint8Array, sample?: string): Promise<string> {
  for (const beside of sample ? ["card.json", "test.csv"] : [])
    await put(`hls4ml/${name}/${beside}`, readFileSync(`public/samples/${sample}/${beside}`));
  return await put(`hls4ml/${name}/model.keras`, bytes);
}

async function build(
  name: string,
  url: string,
  options: Record<string, unknown> = {},
  board: NewEndpoint["board"] = { model: "cpu", kind: "cpu" },
): Promise<Build> {
  const request: NewEndpoint = { name, engine: "hls4ml", model: { url }, board, options };
  return await stack.ended(await stack.deploy(request));
}

async function logOf({ id, attempt }: Build): Promise<string> {
  const { lines } = await readLog(scope, id, { attempt, from: 1, limit: 100_000 });
  return lines.map(({ text }) => text).join("\n");
}

const features = (rows: number[][]) => ({
  name: "features",
  datatype: "FP32" as const,
  shape: [rows.length, rows[0]?.length ?? 0],
  data: Float32Array.from(rows.flat()),
});

/** A Keras file whose layer has another name: weights are kept by the place of a layer. */
function renamed(id: string, from: string, to: string): Uint8Array {
  const files = unzipSync(fixture(id));
  const config = Buffer.from(files["config.json"] ?? []).toString();
  expect(config).toContain(`"${from}"`);
  const text = config.replaceAll(JSON.stringify(from), () => JSON.stringify(to));
  return zipSync({ ...files, "config.json": strToU8(text) });
}

function layerNames(id: string): string[] {
  const config = JSON.parse(
    Buffer.from(unzipSync(fixture(id))["config.json"] ?? []).toString(),
  ) as { config: { layers: { config: { name: string }; class_name: string }[] } };
  return config.config.layers
    .filter(({ class_name: kind }) => kind === "Dense")
    .map(({ config: { name } }) => name);
}

describe("a Keras model on a CPU board", { timeout: 900_000 }, () => {
  it("becomes a program that answers as hls4ml says, measured beside the original", async () => {
    const url = await model("iris", fixture("iris-mlp"), "iris-mlp");
    const built = await build("hls4ml-iris", url);
    const board = await boards.serve(built);
    const { manifest, roles, read } = await filesOf(stack, built);
    expect(manifest).toMatchObject({
      engine: "hls4ml",
      kind: "model",
      platform: "boardwalk_hls4ml",
      maxBatchSize: 64,
      tools: {
        hls4ml: expect.stringMatching(/^hls4ml 1\.3\.0, da4ml 0\.6\.0, qonnx .*Python 3\./),
        "g++": expect.stringContaining("g++"),
      },
      io: { outputs: [{ shape: [-1, 3], labels: ["setosa", "versicolor", "virginica"] }] },
    });
    expect(roles).toEqual(["emulation", "project", "report", "vectors"]);
    const project = Object.keys(unzipSync(await read("project")));
    expect(project).toEqual(
      expect.arrayContaining([
        "build_prj.tcl",
        "firmware/firmware_model.cpp",
        "firmware/defines.h",
      ]),
    );
    expect(project.filter((name) => name.endsWith(".so"))).toEqual([]);

    const { proof, accuracy } = built.report ?? {};
    expect(proof).toMatchObject({ rows: 38, vectors: 38, mismatches: 0, source: "held-back rows" });
    expect(proof?.agreement).toBeGreaterThan(0.8);
    expect(accuracy).toMatchObject({ labelled: true, test: { rows: 38, synthetic: false } });
    expect(await logOf(built)).toContain("answers 38 rows bit for bit");

    const reference = JSON.parse(fixture("iris-mlp", "reference.json").toString());
    const { data, shape } = reference.inputs.features;
    const { outputs } = await board.infer([
      { ...features([]), shape, data: Float32Array.from(data) },
    ]);
    expect(outputs[0]?.shape).toEqual([32, 3]);

    const again = await build("hls4ml-iris-again", url);
    expect(again).toMatchObject({ reused: true, artifactDigest: built.artifactDigest });
  });

  it("is refused rows that firmware cannot be given, and goes on when its process dies", async () => {
    const built = await build(
      "hls4ml-iris-alive",
      await model("iris", fixture("iris-mlp"), "iris-mlp"),
    );
    const board = await boards.serve(built);
    await expect(board.infer([features([[1, 2, Number.NaN, 4]])])).rejects.toMatchObject({
      reason: "INFER_INVALID",
      message: expect.stringContaining("element 2 of row 0"),
    });
    await expect(board.infer([features([[1, 2, 3]])])).rejects.toMatchObject({
      reason: "INFER_INVALID",
    });
    const before = await board.infer([features([[5.1, 3.5, 1.4, 0.2]])]);
    await killProgram(built.id);
    await expect
      .poll(() => board.infer([features([[5.1, 3.5, 1.4, 0.2]])]).catch(() => null))
      .toEqual(expect.objectContaining({ outputs: before.outputs }));
  });

  it("is built by the options of hls4ml: bits, reuse, streams, and those of one layer", async () => {
    const [first = ""] = layerNames("iris-mlp");
    const url = await model("iris", fixture("iris-mlp"), "iris-mlp");
    const built = await build("hls4ml-iris-options", url, {
      width: 12,
      integerBits: 5,
      reuseFactor: 2,
      strategy: "Resource",
      ioType: "io_stream",
      layers: { [first]: { width: 8, integerBits: 3, reuseFactor: 4 } },
    });
    await boards.serve(built);
    const project = unzipSync(await (await filesOf(stack, built)).read("project"));
    const text = (name: string) => Buffer.from(project[name] ?? []).toString();
    expect(text("firmware/defines.h")).toContain(`ap_fixed<8,3> ${first}_weight_t`);
    expect(text("firmware/defines.h")).toContain("ap_fixed<12,5>");
    expect(text("firmware/parameters.h")).toContain("nnet::resource");
    expect(text("firmware/parameters.h")).toContain("nnet::io_stream");
    expect(text("firmware/parameters.h")).toMatch(/reuse_factor = 4;/);
    expect(built.report?.proof).toMatchObject({ mismatches: 0, vectors: 38 });
  });
});

describe("settings of one layer", { timeout: 900_000 }, () => {
  const row = [features([[5.1, 3.5, 1.4, 0.2]])];
  const answerOf = async (built: Build) =>
    Array.from((await (await boards.serve(built)).infer(row)).outputs[0]?.data ?? [], Number);

  it("change what a Keras model answers, and that layer alone", async () => {
    const [, second = ""] = layerNames("iris-mlp");
    const url = await model("iris", fixture("iris-mlp"), "iris-mlp");
    const narrowed = await build("hls4ml-narrow", url, {
      layers: { [second]: { width: 5, integerBits: 2, reuseFactor: 8, strategy: "Resource" } },
    });
    const answers = await answerOf(narrowed);
    expect(answers).not.toEqual(await answerOf(await build("hls4ml-wide", url)));
    const project = unzipSync(await (await filesOf(stack, narrowed)).read("project"));
    const text = (name: string) => Buffer.from(project[name] ?? []).toString();
    expect(text("firmware/defines.h").match(/ap_fixed<5,2>/g)?.length).toBeGreaterThan(1);
    expect(text("firmware/parameters.h").match(/nnet::resource;/g)).toHaveLength(1);
    expect(text("firmware/parameters.h").match(/reuse_factor = 8;/g)).toHaveLength(1);
    // The program makes its numbers in a loop; the project stays as hls4ml wrote it.
    const weights = Object.keys(project).filter((name) => /weights\/w\d+\.h$/.test(name));
    expect(weights.length).toBeGreaterThan(1);
    for (const name of weights) expect(text(name)).toMatch(/^\w+ w\d+\[\d+\] = \{[-\d., ]+\};$/m);
  });

  it("are taken by the name of an ONNX file's operator, weights and biases included", async () => {
    const url = await put(
      "hls4ml/iris-onnx/model.onnx",
      readFileSync("public/samples/iris-mlp/model.onnx"),
    );
    const name = "iris_mlp_1/dense_1_2/MatMul";
    const narrowed = await build("hls4ml-onnx-narrow", url, {
      layers: { [name]: { width: 5, integerBits: 2, reuseFactor: 8, strategy: "Resource" } },
    });
    expect(await answerOf(narrowed)).not.toEqual(
      await answerOf(await build("hls4ml-onnx-wide", url)),
    );
    const project = unzipSync(await (await filesOf(stack, narrowed)).read("project"));
    const text = (file: string) => Buffer.from(project[file] ?? []).toString();
    expect(text("firmware/defines.h")).toMatch(/ap_fixed<5,2> .*weight_t;/);
    expect(text("firmware/parameters.h").match(/nnet::resource;/g)).toHaveLength(1);
    expect(text("firmware/parameters.h").match(/reuse_factor = 8;/g)).toHaveLength(1);
  });
});

describe("other models", { timeout: 900_000 }, () => {
  it("QONNX has the bits of its own quantisers", async () => {
    const url = await put(
      "hls4ml/qonnx/dense.onnx",
      readFileSync("tests/fixtures/qonnx/dense.onnx"),
    );
    const built = await build("hls4ml-qonnx", url);
    const board = await boards.serve(built);
    const project = unzipSync(await (await filesOf(stack, built)).read("project"));
    const defines = Buffer.from(project["firmware/defines.h"] ?? []).toString();
    expect(defines).toContain("ap_fixed<4,1,AP_RND_CONV,AP_SAT,0>");
    expect(built.report?.proof).toMatchObject({ mismatches: 0, source: "synthetic input" });
    // On the grid of the input's quantiser nothing is lost: QONNX itself answers this.
    const { outputs } = await board.infer([features([[0.5, -0.25, 1.125, -1.9375]])]);
    expect(Array.from(outputs[0]?.data ?? [], Number)).toEqual([-0.9375, 1.3984375, 0.1875]);
  });

  it("Keras by distributed arithmetic has adders of da4ml's", async () => {
    const built = await build("hls4ml-da", await model("da", fixture("iris-mlp"), "iris-mlp"), {
      width: 10,
      integerBits: 4,
      strategy: "distributed_arithmetic",
    });
    await boards.serve(built);
    const project = unzipSync(await (await filesOf(stack, built)).read("project"));
    const source = Buffer.from(project["firmware/firmware_model.cpp"] ?? []).toString();
    expect(source).toContain("nnet::dense_da_2<");
  });

  it("one with a layer that hls4ml does not know is refused in its words", async () => {
    const file = readFileSync("tests/fixtures/keras/attention/model.h5");
    const { problem } = await build(
      "hls4ml-attention",
      await put("hls4ml/attention/model.h5", file),
    );
    expect(problem).toMatchObject({
      reason: "OPERATOR_UNSUPPORTED",
      message: expect.stringContaining("MultiHeadAttention"),
    });
  });
});

describe("a board that needs Vitis HLS", { timeout: 900_000 }, () => {
  it("gets the whole project, and its simulation runs the emulation", async () => {
    const url = await model("iris", fixture("iris-mlp"), "iris-mlp");
    const built = await build("hls4ml-basys3", url, {}, { model: "basys3", kind: "simulated" });
    await boards.serve(built);
    const { manifest, read } = await filesOf(stack, built);
    expect(manifest).toMatchObject({ part: "xc7a35t-1cpg236c", boardModel: "basys3" });
    expect(built.report?.bitstreamNeeds).toBe("Vitis HLS");
    // Compiled again, for another task, elsewhere: the same bytes.
    const onCpu = await filesOf(stack, await build("hls4ml-iris-cpu", url));
    const digestOf = (files: typeof manifest.files) =>
      files.find(({ role }) => role === "emulation")?.digest;
    expect(digestOf(manifest.files)).toBe(digestOf(onCpu.manifest.files));
    const project = unzipSync(await read("project"));
    expect(Buffer.from(project["project.tcl"] ?? []).toString()).toContain("xc7a35tcpg236-1");
    expect(await logOf(built)).toContain("project written, bitstream needs Vitis HLS");
  });
});

describe("what hls4ml cannot do ends in a sentence", { timeout: 900_000 }, () => {
  it.each([
    [
      "no such layer",
      { layers: { nothing: { width: 8 } } },
      "OPTION_INVALID",
      'no layer "nothing"',
    ],
    [
      "distributed arithmetic that reuses",
      { strategy: "distributed_arithmetic", reuseFactor: 4 },
      "OPTION_INVALID",
      "take 1",
    ],
  ])("%s", async (what, options, reason, words) => {
    const url = await model("iris", fixture("iris-mlp"), "iris-mlp");
    const name = `hls4ml-${what.replaceAll(" ", "-")}`;
    const failed = await build(name, url, options).then(
      ({ problem }) => problem,
      (error: unknown) => error,
    );
    expect(failed).toMatchObject({ reason, message: expect.stringContaining(words) });
  });

  it.each(["a$(touch /tmp/x);b", "double", "x{}; int y", "../../up"])(
    "a layer called %j",
    async (to) => {
      const [first = ""] = layerNames("iris-mlp");
      const url = await model(
        `named-${hexOf(to).length}-${to.length}`,
        renamed("iris-mlp", first, to),
      );
      const { problem, stages } = await build(`hls4ml-named-${to.length}`, url);
      expect(problem?.reason).toMatch(/^MODEL_/);
      expect(problem?.message).toContain("name");
      expect(stages.find(({ name }) => name === "store")?.state).not.toBe("succeeded");
    },
  );
});

describe("a program that is not right", { timeout: 900_000 }, () => {
  it.each([
    [
      "answers",
      "send(answer, outputs.data()",
      "outputs[0] += 1; send(answer, outputs.data()",
      "VERIFICATION_FAILED",
      "row 0",
    ],
    ["source", "int answers = -1;", "int answers = ;", "TOOL_FAILED", "harness.cpp:"],
    [
      "silence",
      "send(greeting, sizes, sizeof sizes, 0);",
      "return 0;",
      "OUTPUT_INVALID",
      "one question",
    ],
  ])("fails the build by its %s", async (what, from, to, reason, words) => {
    const mutation = join(stack.home, `${what}.json`);
    writeFileSync(mutation, JSON.stringify({ file: "harness.cpp", from, to }));
    await worker.close();
    worker = stack.startBuilder({ mutation: `file:${mutation}` });
    const url = await model("iris", fixture("iris-mlp"), "iris-mlp");
    const failed = await build(`hls4ml-wrong-${what}`, url);
    expect(failed.problem).toMatchObject({ reason, message: expect.stringContaining(words) });
  });
});

describe("a machine without hls4ml", () => {
  it("says how to install it", async () => {
    await worker.close();
    worker = stack.startBuilder({ toolsDir: join(stack.home, "no-tools") });
    const failed = await build(
      "hls4ml-no-tool",
      await model("iris", fixture("iris-mlp"), "iris-mlp"),
    );
    expect(failed.problem).toMatchObject({
      reason: "TOOL_MISSING",
      hint: "npm run setup -- hls4ml",
    });
  });
});

/** Ends the one process that runs the program of a build. */
async function killProgram(id: string): Promise<void> {
  const { readdirSync, readlinkSync } = await import("node:fs");
  const program = join(stack.home, id);
  const pid = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .find((name) => {
      try {
        return readlinkSync(`/proc/${name}/exe`) === program;
      } catch {
        return false;
      }
    });
  expect(pid).toBeDefined();
  process.kill(Number(pid), "SIGKILL");
}
