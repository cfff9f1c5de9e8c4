import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { loadCpu } from "@/board-server/devices/cpu";
import { getArtifact } from "@/domain/artifacts";
import { readLog } from "@/domain/builds";
import { type Build, vectorsSchema } from "@/lib/common/contract";
import { hexOf } from "@/lib/server/digest";
import { buckets } from "@/lib/server/storage";
import { scope } from "@/tests/support/domain";
import { wholeBuilds } from "@/tests/workers/whole-builds";

const builds = wholeBuilds();
const boards: { close(): Promise<void> }[] = [];
afterAll(() => Promise.all(boards.map((board) => board.close())));

const put = (key: string, path: string) => builds.put(key, readFileSync(path));

/** Builds a file of the bucket for a CPU board. */
async function build(name: string, key: string): Promise<Build> {
  const request = {
    name,
    engine: "tensorflow",
    model: { url: `s3://${buckets.samples}/${key}` },
    board: { model: "cpu", kind: "cpu" as const },
  };
  return await builds.stack.ended(await builds.stack.deploy(request));
}

async function logOf({ id, attempt }: Build): Promise<string> {
  const { lines } = await readLog(scope, id, { attempt, from: 1, limit: 100_000 });
  return lines.map(({ text }) => text).join("\n");
}

/** The artifact as a CPU board loads it, its own rows answered again. */
async function serve(build: Build) {
  expect(build.problem).toBeNull();
  const { manifest, signature } = await getArtifact(scope, build.artifactDigest ?? "");
  const read = async (role: string) => {
    const file = manifest.files.find((each) => each.role === role);
    const { stream } = await builds.stack.store.get(buckets.artifacts, hexOf(file?.digest ?? ""));
    return Buffer.concat(await stream.toArray());
  };
  const path = join(builds.stack.home, `${build.id}.onnx`);
  writeFileSync(path, await read("model"));
  const board = await loadCpu(manifest, path);
  boards.push(board);
  await board.selfTest(vectorsSchema.parse(JSON.parse((await read("vectors")).toString())));
  const answer = async (inputs: Readonly<Record<string, readonly [number[], number[]]>>) => {
    const tensors = Object.entries(inputs).map(([name, [data, shape]]) => ({
      name,
      datatype: "FP32" as const,
      shape,
      data: Float32Array.from(data),
    }));
    const { outputs } = await board.infer(tensors);
    return (name: string) =>
      Array.from(outputs.find((each) => each.name === name)?.data as Float32Array, Number);
  };
  return { manifest, signature, answer };
}

function expectClose(got: readonly number[], wanted: readonly number[]): void {
  expect(got).toHaveLength(wanted.length);
  for (const [index, value] of wanted.entries()) expect(got[index]).toBeCloseTo(value, 5);
}

describe("a SavedModel on a CPU board", { timeout: 300_000 }, () => {
  it("becomes an ONNX artifact that answers as the original, and is reused", async () => {
    const folder = "tests/fixtures/models/iris-mlp";
    await put("saved/iris/saved_model.tar.gz", `${folder}/saved_model.tar.gz`);
    for (const name of ["card.json", "test.csv"]) {
      await put(`saved/iris/${name}`, `public/samples/iris-mlp/${name}`);
    }
    const first = await build("saved-iris", "saved/iris/saved_model.tar.gz");
    const { manifest, signature, answer } = await serve(first);
    expect(manifest).toMatchObject({
      engine: "tensorflow",
      platform: "onnx_onnxv1",
      maxBatchSize: 64,
      tools: { tf2onnx: expect.stringMatching(/^tf2onnx \d.*tensorflow.* \d.*Python 3\./) },
      io: {
        inputs: [{ name: "features", datatype: "FP32", shape: [-1, 4], size: 4 }],
        outputs: [
          { name: "output_0", shape: [-1, 3], labels: ["setosa", "versicolor", "virginica"] },
        ],
      },
    });
    expect(manifest.files.map(({ role }) => role).sort()).toEqual(["model", "report", "vectors"]);
    expect(signature.digest).toBe(first.artifactDigest);
    const reference = JSON.parse(readFileSync(`${folder}/reference.json`, "utf8"));
    const { data, shape } = reference.inputs.features;
    const outputs = await answer({ features: [data, shape] });
    expectClose(outputs("output_0"), reference.outputs.probabilities.data);

    const { proof } = first.report ?? {};
    expect(proof).toMatchObject({ rows: 38, agreement: 1, source: "held-back rows" });
    expect(proof?.accuracy).toBeGreaterThan(0.9);
    expect(proof?.maxAbsError).toBeLessThan(1e-5);
    const log = await logOf(first);
    expect(log).toContain("Successfully converted TensorFlow model");
    expect(log).toContain("as the original does");
    expect(first.stages.find(({ name }) => name === "synthesise")?.state).toBe("succeeded");

    const second = await build("saved-iris-again", "saved/iris/saved_model.tar.gz");
    expect(second).toMatchObject({ reused: true, artifactDigest: first.artifactDigest });
  });

  it("keeps the names of several tensors, whatever their order, and their types", async () => {
    await put("saved/pair/pair.tar", "tests/fixtures/savedmodel/pair.tar");
    const built = await build("saved-pair", "saved/pair/pair.tar");
    const { manifest, answer } = await serve(built);
    expect(manifest.io).toMatchObject({
      inputs: [{ name: "left" }, { name: "right" }],
      outputs: [
        { name: "best", datatype: "INT64", shape: [-1] },
        { name: "scores", datatype: "FP32", shape: [-1, 2] },
      ],
    });
    const wanted = JSON.parse(readFileSync("tests/fixtures/savedmodel/pair.json", "utf8"));
    const outputs = await answer({ right: [wanted.right, [2, 2]], left: [wanted.left, [2, 2]] });
    expectClose(outputs("scores"), wanted.scores);
    expect(outputs("best")).toEqual(wanted.best);
    expect(built.report?.proof).toMatchObject({ rows: 0, source: "synthetic input" });
  });

  it("takes convolutions, out of a zip", async () => {
    await put("saved/image/image.zip", "tests/fixtures/savedmodel/image.zip");
    const { answer } = await serve(await build("saved-image", "saved/image/image.zip"));
    const wanted = JSON.parse(readFileSync("tests/fixtures/savedmodel/image.json", "utf8"));
    const outputs = await answer({ image: [wanted.image, [2, 6, 6, 1]] });
    expectClose(outputs("output_0"), wanted.output_0);
  });

  it("is refused where the converter knows no counterpart of an operator", async () => {
    const name = "not-converted.tar.gz";
    await put(`saved/${name}`, `tests/fixtures/savedmodel/${name}`);
    const failed = await build("saved-not-converted", `saved/${name}`);
    expect(failed.problem).toMatchObject({
      reason: "OPERATOR_UNSUPPORTED",
      message: expect.stringContaining("BesselI0"),
    });
    expect(await logOf(failed)).toMatch(/BesselI0\] is not supported/);
  });

  it("is refused before any tool when it holds Python code", async () => {
    const name = "py-function.tar.gz";
    await put(`saved/${name}`, `tests/fixtures/savedmodel/${name}`);
    const failed = await build("saved-py-function", `saved/${name}`);
    expect(failed.problem?.reason).toBe("MODEL_NOT_ALLOWED");
    expect(failed.stages.find(({ name }) => name === "inspect")?.state).toBe("failed");
  });
});

describe("a conversion that is not right", { timeout: 300_000 }, () => {
  it.each([
    ["answers", "value.numpy()", "value.numpy() * 1.0001", "output output_0"],
    ["names", '["--opset"', '["--use-graph-names", "--opset"', "no input features"],
  ])("fails the build by its %s", async (what, from, to, words) => {
    const mutation = join(builds.stack.home, `${what}.json`);
    writeFileSync(mutation, JSON.stringify({ file: "convert.py", from, to }));
    await builds.rebuildWith({ mutation: `file:${mutation}` });
    const failed = await build(`saved-wrong-${what}`, "saved/iris/saved_model.tar.gz");
    expect(failed.problem).toMatchObject({
      reason: "IMPORT_MISMATCH",
      message: expect.stringContaining(words),
    });
    expect(failed.stages.find(({ name }) => name === "verify")?.state).toBe("failed");
  });
});

describe("a machine without TensorFlow", () => {
  it("says how to install it, and builds everything else", async () => {
    await builds.rebuildWith({ toolsDir: join(builds.stack.home, "no-tools") });
    const failed = await build("saved-no-tool", "saved/pair/pair.tar");
    expect(failed.problem).toMatchObject({
      reason: "TOOL_MISSING",
      hint: "npm run setup -- tensorflow",
    });
    await put("keras/model.keras", "tests/fixtures/models/iris-mlp/model.keras");
    expect((await build("keras-no-tool", "keras/model.keras")).problem).toBeNull();
  });
});
