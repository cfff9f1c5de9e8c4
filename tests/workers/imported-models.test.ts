import { readFileSync } from "node:fs";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { describe, expect, it } from "vitest";
import { getArtifact } from "@/domain/artifacts";
import { hexOf } from "@/lib/server/digest";
import { buckets } from "@/lib/server/storage";
import { scope } from "../support/domain";
import { wholeBuilds } from "./whole-builds";

const builds = wholeBuilds();

describe("a model of another make on a CPU board", { timeout: 300_000 }, () => {
  it.each([
    ["tensorflow", "iris-mlp", "model.keras"],
    ["tensorflow", "iris-mlp", "model.h5"],
    ["xgboost", "iris-xgboost", "model.json"],
    ["xgboost", "breast-cancer-xgboost", "model.ubj"],
  ])("becomes an ONNX artifact by engine %s: %s/%s", async (engine, id, name) => {
    const folder = `tests/fixtures/models/${id}`;
    const key = `${id}-${name.replace("model.", "")}`;
    const build = await builds.build({
      key,
      files: { [name]: readFileSync(`${folder}/${name}`) },
      name: key,
      engine,
      board: { model: "cpu", kind: "cpu" },
    });
    expect(build.problem).toBeNull();
    expect(build.state).toBe("succeeded");
    const { manifest } = await getArtifact(scope, build.artifactDigest ?? "");
    const model = manifest.files.find(({ role }) => role === "model");
    const { stream } = await builds.stack.store.get(buckets.artifacts, hexOf(model?.digest ?? ""));
    const session = await InferenceSession.create(Buffer.concat(await stream.toArray()));
    const reference = JSON.parse(readFileSync(`${folder}/reference.json`, "utf8"));
    const { data, shape } = reference.inputs.features;
    const answers = await session.run({
      features: new Tensor(
        "float32",
        Float32Array.from(data, (value) => (value === null ? Number.NaN : Number(value))),
        shape,
      ),
    });
    const got = Array.from(answers[session.outputNames[0] ?? ""]?.data as Float32Array);
    const wanted: number[] = reference.outputs.probabilities.data;
    expect(got).toHaveLength(wanted.length);
    for (const [index, value] of wanted.entries()) expect(got[index]).toBeCloseTo(value, 5);
    await session.release();
  });
});
