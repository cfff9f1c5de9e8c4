import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deploy, untilReady, upload } from "@/tests/support/client";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { toolsFolder } from "@/tests/workers/folders";

// The jet tagger's shape from upload to answers of the gateway: what hls4ml's own `predict` answers, to the bit.

const modelPath = "tests/fixtures/models/jets-shape-mlp/model.keras";
const python = resolve(toolsFolder, "hls4ml/bin/python");
/** Rows that one call takes. */
const batch = 50;
let installation: Installation;

beforeAll(async () => {
  installation = await startInstallation("hls4ml");
}, 300_000);
afterAll(async () => installation?.stop());

/** The 1,000 held-back rows of both models of the shape, without their labels. */
const rows = readFileSync("public/samples/jets-small-mlp/test.csv", "utf8")
  .trim()
  .split("\n")
  .map((line) => line.split(",").slice(0, 16).map(Number))
  .filter((row) => row.every(Number.isFinite));

async function predict(): Promise<number[][]> {
  const work = installation.home.at("tmp/hls4ml");
  const args = ["-I", "bench/peers/hls4ml_peer.py", modelPath, work, "1", "16", "6"];
  const child = spawn(python, args, { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(JSON.stringify(rows));
  const said = await text(child.stdout);
  return JSON.parse(said.trim().split("\n").at(-1) ?? "").answers;
}

async function infer(name: string, part: number[][]): Promise<number[]> {
  const input = { name: "features", datatype: "FP32", shape: [part.length, 16], data: part.flat() };
  const answer = await fetch(`${installation.gatewayUrl}/v2/models/${name}/infer`, {
    method: "POST",
    body: JSON.stringify({ inputs: [input] }),
  });
  const body = await answer.json();
  expect({ status: answer.status, error: body.error }).toEqual({ status: 200 });
  expect(body.outputs[0].shape).toEqual([part.length, 5]);
  return body.outputs[0].data;
}

describe("an endpoint of hls4ml's", { timeout: 1_200_000 }, () => {
  it("answers 1,000 rows as hls4ml's own predict does, to the bit", async () => {
    expect(rows).toHaveLength(1000);
    const wanted = predict();
    const { url } = (await upload(installation, "model.keras", readFileSync(modelPath))).body;
    await deploy(installation, {
      name: "jets",
      engine: "hls4ml",
      model: { url },
      board: { model: "cpu", kind: "cpu" },
    });
    await untilReady(installation, "jets", 900_000);
    const answers: number[] = [];
    for (let at = 0; at < rows.length; at += batch)
      answers.push(...(await infer("jets", rows.slice(at, at + batch))));
    expect(answers).toHaveLength(5000);
    expect(Float32Array.from(answers)).toEqual(Float32Array.from((await wanted).flat()));
    expect(new Set(answers).size).toBeGreaterThan(100);
  });

  it("says what is wrong with a row that firmware cannot be given", async () => {
    const answer = await fetch(`${installation.gatewayUrl}/v2/models/jets/infer`, {
      method: "POST",
      body: JSON.stringify({
        inputs: [{ name: "features", datatype: "FP32", shape: [1, 15], data: Array(15).fill(0) }],
      }),
    });
    expect(answer.status).toBe(400);
  });
});
