import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  artifactSchema,
  type Build,
  buildSchema,
  endpointSchema,
  inspectionSchema,
  isRangeAssumed,
  timingSchema,
} from "@/lib/common/contract";
import { deploy, predict, until, untilReady, upload } from "@/tests/support/client";
import {
  brightClass,
  brightDigitsOnnx,
  brightRows,
  indexOfLargest,
} from "@/tests/support/compiler/bright-digits";
import { type Installation, startInstallation } from "@/tests/support/installation";

// A model that nothing says the range of: it is told of everywhere, mended by a range, and what is clipped is counted.

const rows = brightRows(32);
let installation: Installation;
/** The address of 64 pixels from 0 to 16, with nothing beside. */
let url: string;

beforeAll(async () => {
  installation = await startInstallation("range");
  const { body } = await upload(installation, "bright-digits.onnx", brightDigitsOnnx());
  ({ url } = body);
});
afterAll(() => installation?.stop());

const request = (name: string, more: object = {}) => ({
  name,
  engine: "boardwalk",
  model: { url },
  board: { model: "icebreaker", kind: "simulated" },
  options: { clockHz: 24_000_000 },
  ...more,
});

async function ended(id: string): Promise<Build> {
  return await until(
    `build ${id}`,
    async () => {
      const build = buildSchema.parse((await installation.api(`/builds/${id}`)).body);
      return build.endedAt === null ? null : build;
    },
    400_000,
  );
}

async function inspected(address: string) {
  const body = JSON.stringify({ url: address });
  const answer = await installation.api("/models/inspect", { method: "POST", body });
  return inspectionSchema.parse(answer.body);
}

describe("an inspection", { timeout: 120_000 }, () => {
  it("says what a build would take the range from", async () => {
    expect((await inspected(url)).rangeFrom).toBeNull();
    const samples = "s3://boardwalk-samples";
    expect((await inspected(`${samples}/digits-mlp/model.onnx`)).rangeFrom).toBe("card");
    const trees = readFileSync("tests/fixtures/models/wine-sklearn-forest/model.onnx");
    const forest = await upload(installation, "forest.onnx", trees);
    expect((await inspected(forest.body.url)).rangeFrom).toBe("model");
  });
});

describe("a range that cannot be", { timeout: 300_000 }, () => {
  it.each([
    [{ min: 0 }, "inputRange.max"],
    [{ min: 0, max: "16" }, "inputRange.max"],
    [{ min: [0, 3], max: [1, 2] }, "inputRange.max.1"],
    [{ min: 0, max: 16, mean: 8 }, "inputRange.mean"],
  ])("%j is refused at %s", async (inputRange, field) => {
    const body = JSON.stringify(request("refused", { inputRange }));
    const headers = { "idempotency-key": field };
    const answer = await installation.api("/endpoints", { method: "POST", body, headers });
    expect(answer).toMatchObject({
      status: 422,
      body: { error: { reason: "VALIDATION", field } },
    });
  });

  it("of another number of inputs ends the build, and names the list", async () => {
    const range = { min: [0, 0], max: [16, 16] };
    const { buildId } = await deploy(installation, request("two", { inputRange: range }));
    const { state, problem } = await ended(buildId);
    expect(state).toBe("failed");
    expect(problem).toMatchObject({
      reason: "RANGE_INVALID",
      message: "inputRange.min has 2 numbers, the model takes 64.",
    });
  });
});

describe("64 pixels from 0 to 16", { timeout: 600_000 }, () => {
  let assumed: Build;

  it("are built on an assumption, which build, artifact and endpoint own up to", async () => {
    const { buildId } = await deploy(installation, request("digits-assumed"));
    assumed = await ended(buildId);
    expect(assumed.problem).toBeNull();
    await untilReady(installation, "digits-assumed");
    const artifact = await installation.api(`/artifacts/${assumed.artifactDigest}`);
    const endpoint = await installation.api("/endpoints/digits-assumed");
    for (const calibration of [
      assumed.report?.calibration,
      artifactSchema.parse(artifact.body).calibration,
      endpointSchema.parse(endpoint.body).calibration,
    ]) {
      expect(calibration && isRangeAssumed(calibration)).toBe(true);
    }
  });

  it("are counted where the firmware does not hold them, for the caller and in the metrics", async () => {
    const [dark, bright] = [Array(64).fill(3), [...Array(62).fill(3), 16, -9]];
    const answer = await fetch(`${installation.gatewayUrl}/v2/models/digits-assumed/infer`, {
      method: "POST",
      headers: { "x-bw-timing": "1" },
      body: JSON.stringify({
        inputs: [{ name: "pixels", shape: [2, 64], datatype: "FP32", data: [dark, bright].flat() }],
      }),
    });
    const timing = timingSchema.parse(JSON.parse(answer.headers.get("x-bw-timing") ?? ""));
    expect(timing.clippedInputs).toBe(2);
    expect(
      (await predict(installation, "digits-assumed", { name: "pixels", row: dark })).status,
    ).toBe(200);
    const { GATEWAY_METRICS_PORT: port } = installation.variables;
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(metrics).toContain(
      'boardwalk_clipped_inputs_total{model="digits-assumed",version="1"} 2',
    );
    const stats = await fetch(`${installation.gatewayUrl}/v2/models/digits-assumed/stats`);
    expect(await stats.json()).toMatchObject({ model_stats: [{ clipped_input_count: 2 }] });
  });

  it("get the float model's classes with the range that goes with the request", async () => {
    const inputRange = { min: 0, max: 16 };
    const { buildId } = await deploy(installation, request("digits-given", { inputRange }));
    const build = await ended(buildId);
    expect(build.problem).toBeNull();
    expect(build.planDigest).not.toBe(assumed.planDigest);
    const { calibration } = build.report ?? {};
    expect(calibration && isRangeAssumed(calibration)).toBe(false);
    await untilReady(installation, "digits-given");
    const seen = async (name: string) => {
      const answers = rows.map((row) => predict(installation, name, { name: "pixels", row }));
      return (await Promise.all(answers)).map(({ values }) => indexOfLargest(values));
    };
    const float = rows.map(brightClass);
    expect(await seen("digits-given")).toEqual(float);
    expect(await seen("digits-assumed")).not.toEqual(float);
  });

  it("are the same build when each input is given the same range", async () => {
    const inputRange = { min: Array(64).fill(0), max: Array(64).fill(16) };
    const { buildId } = await deploy(installation, request("digits-each", { inputRange }));
    const build = await ended(buildId);
    expect(build.reused).toBe(true);
  });
});
