import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildSchema, endpointSchema } from "@/lib/common/contract";
import {
  deploy,
  predict,
  sampleReference,
  until,
  untilReady,
  upload,
} from "@/tests/support/client";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { pair } from "@/tests/support/pair";

// What a person does, through the API: deploy on a simulated board, read the proof, predict with real clients, reuse, move
// to the CPU. Real stores, tools, processes.

const run = promisify(execFile);
let installation: Installation;

beforeAll(async () => {
  installation = await startInstallation("serve", {
    variables: { BOARD_SERVER_CORRUPT_EVERY: "3" },
  });
}, 180_000);
afterAll(async () => installation?.stop());

/** One rung of the ladder, so that a build takes one run of the tools. */
const oneClock = { clockHz: 24_000_000 };
const icebreaker = { model: "icebreaker", kind: "simulated" };
const digits = { url: "s3://boardwalk-samples/digits-mlp/model.onnx" };

const softmaxed = (values: readonly number[]) => values.indexOf(Math.max(...values));

describe("digits-mlp on a simulated iCEBreaker", () => {
  it("is inspected: format, tensors, parameters, who takes it", async () => {
    const { status, body } = await installation.api("/models/inspect", {
      method: "POST",
      body: JSON.stringify(digits),
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      format: "onnx",
      sizeBytes: readFileSync("public/samples/digits-mlp/model.onnx").length,
      inputs: [{ name: "pixels", datatype: "FP32", shape: [-1, 64] }],
      outputs: [{ name: "logits", datatype: "FP32", shape: [-1, 10] }],
      parameters: 3466,
    });
    const { engines } = body as { engines: { id: string; ok: boolean }[] };
    expect(
      engines
        .filter(({ ok }) => ok)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(["boardwalk", "bondmachine", "hls4ml", "onnx"]);
  });

  it("is built, proven bit for bit, loaded and ready", async () => {
    const { buildId } = await deploy(installation, {
      name: "digits-mlp",
      engine: "boardwalk",
      model: digits,
      board: icebreaker,
    });
    const endpoint = endpointSchema.parse(await untilReady(installation, "digits-mlp", 600_000));
    expect(endpoint.proof).toMatchObject({ mismatches: 0 });
    expect(endpoint.proof?.vectors).toBeGreaterThan(1000);
    expect(endpoint.proof?.rows).toBeGreaterThan(100);
    expect(endpoint.proof?.agreement).toBeGreaterThan(0.97);
    const { body } = await installation.api(`/builds/${buildId}`);
    const build = buildSchema.parse(body);
    expect(build.state).toBe("succeeded");
    expect(build.stages.map(({ name, state }) => [name, state])).toEqual(
      [
        "fetch",
        "inspect",
        "plan",
        "synthesise",
        "place",
        "pack",
        "simulate",
        "verify",
        "store",
      ].map((name) => [name, "succeeded"]),
    );
    expect(build.report?.resources.find(({ id }) => id === "bram")?.used).toBeGreaterThan(0);
    expect(build.report?.achievedMhz).toBeGreaterThan(12);
    const text = await fetch(`${installation.portalUrl}/api/v1/builds/${buildId}/log`, {
      headers: { accept: "text/plain" },
    }).then((answer) => answer.text());
    expect(text).toMatch(/nextpnr-ice40[\s\S]*The synthesised netlist answers \d+ vectors/);
  }, 900_000);

  it("answers as the float model does on 32 held-back rows", async () => {
    const { input, output } = sampleReference("digits-mlp");
    let same = 0;
    for (const [index, row] of input.rows.entries()) {
      const { status, values } = await predict(installation, "digits-mlp", {
        name: input.name,
        row,
      });
      expect(status).toBe(200);
      same += softmaxed(values) === softmaxed(output.rows[index] as number[]) ? 1 : 0;
    }
    expect(same).toBeGreaterThanOrEqual(31);
  }, 300_000);

  it("tells its time down to cycles through the portal's predict", async () => {
    const { input } = sampleReference("digits-mlp");
    const { status, body } = await installation.api("/endpoints/digits-mlp/predict", {
      method: "POST",
      body: JSON.stringify({
        inputs: [{ name: "pixels", shape: [1, 64], datatype: "FP32", data: input.rows[0] }],
      }),
    });
    expect(status).toBe(200);
    const { timing, outputs } = body as { timing: Record<string, number>; outputs: unknown[] };
    expect(outputs).toHaveLength(1);
    expect(timing["cycles"]).toBeGreaterThan(100);
    expect(timing["computeNs"]).toBeGreaterThan(0);
  });

  it("tells why it refuses through the portal's predict, in the gateway's words", async () => {
    const ask = async (name: string, shape: readonly number[]) => {
      const { status, body } = await installation.api(`/endpoints/${name}/predict`, {
        method: "POST",
        body: JSON.stringify({
          inputs: [{ name: "pixels", shape, datatype: "FP32", data: [1, 2, 3] }],
        }),
      });
      return { status, body };
    };
    expect(await ask("nobody", [1, 3])).toMatchObject({
      status: 404,
      body: { error: { reason: "ENDPOINT_UNKNOWN" } },
    });
    expect(await ask("digits-mlp", [1, 3])).toMatchObject({
      status: 400,
      body: { error: { reason: "INFER_INVALID", message: expect.stringContaining("pixels") } },
    });
  });

  it("gives curl the same numbers", async () => {
    const { input } = sampleReference("digits-mlp");
    const row = input.rows[3] as number[];
    const mine = await predict(installation, "digits-mlp", { name: "pixels", row });
    const body = JSON.stringify({
      inputs: [{ name: "pixels", shape: [1, 64], datatype: "FP32", data: row }],
    });
    const { stdout } = await run("curl", [
      "-sS",
      `${installation.gatewayUrl}/v2/models/digits-mlp/infer`,
      "-d",
      body,
    ]);
    expect(JSON.parse(stdout).outputs[0].data).toEqual(mine.values);
  }, 300_000);

  it("is reused under another name, with no tool started", async () => {
    const { buildId } = await deploy(installation, {
      name: "digits-again",
      engine: "boardwalk",
      model: digits,
      board: icebreaker,
    });
    const endpoint = await untilReady(installation, "digits-again");
    expect(endpoint.reused).toBe(true);
    const { body } = await installation.api(`/builds/${buildId}`);
    const build = buildSchema.parse(body);
    expect(build.reused).toBe(true);
    expect(build.stages.find(({ name }) => name === "synthesise")?.state).toBe("skipped");
  });

  it("runs on the CPU by the same form", async () => {
    await deploy(installation, {
      name: "digits-cpu",
      engine: "onnx",
      model: digits,
      board: { model: "cpu", kind: "cpu" },
    });
    await untilReady(installation, "digits-cpu");
    const { input, output } = sampleReference("digits-mlp");
    const { values } = await predict(installation, "digits-cpu", {
      name: "pixels",
      row: input.rows[0] as number[],
    });
    for (const [index, value] of values.entries())
      expect(value).toBeCloseTo((output.rows[0] as number[])[index] as number, 3);
  });

  it("keeps answering after every process was stopped and started", async () => {
    for (const name of ["board-server", "gateway", "portal"])
      await installation.processes.stop(name);
    for (const name of ["portal", "gateway", "board-server"]) installation.processes.start(name);
    await until(
      "the portal",
      async () => (await installation.api("/endpoints/digits-mlp")).status === 200,
    );
    const { input } = sampleReference("digits-mlp");
    const row = { name: "pixels", row: input.rows[0] as number[] };
    await until(
      "an answer",
      async () => (await predict(installation, "digits-mlp", row)).status === 200,
    );
  }, 900_000);
});

describe("two equal requests at once", () => {
  it("give one build of the artifact and two endpoints", async () => {
    const model = await upload(installation, "model.onnx", pair.model);
    const request = {
      engine: "boardwalk",
      model: { url: model.body.url, card: pair.card },
      board: icebreaker,
      options: oneClock,
    };
    const [a, b] = await Promise.all(
      ["equal-a", "equal-b"].map((name) => deploy(installation, { name, ...request })),
    );
    const endpoints = await Promise.all(
      ["equal-a", "equal-b"].map((name) => untilReady(installation, name, 600_000)),
    );
    expect(new Set(endpoints.map(({ artifactDigest }) => artifactDigest)).size).toBe(1);
    const builds = await Promise.all(
      [a, b].map(async (each) =>
        buildSchema.parse((await installation.api(`/builds/${each?.buildId}`)).body),
      ),
    );
    expect(builds.filter(({ reused }) => reused)).toHaveLength(1);
  }, 900_000);
});

describe("the gateway", () => {
  const post = (
    body: string | Uint8Array,
    headers: Record<string, string> = {},
    name = "digits-cpu",
  ) =>
    fetch(`${installation.gatewayUrl}/v2/models/${name}/infer`, {
      method: "POST",
      body: body as never,
      headers,
    });
  const request = (input: object) =>
    JSON.stringify({
      inputs: [
        { name: "pixels", shape: [1, 64], datatype: "FP32", data: Array(64).fill(0), ...input },
      ],
    });
  it.each([
    ["wrong shape", request({ shape: [1, 63], data: Array(63).fill(0) }), /unexpected shape/],
    ["missing batch dimension", request({ shape: [64] }), /batch/],
    [
      "wrong datatype",
      request({ datatype: "FP64" }),
      /data-type is 'FP64', but model 'digits-cpu' expects 'FP32'/,
    ],
    ["unknown datatype", request({ datatype: "float" }), /datatype|data-type/i],
    ["wrong count", request({ data: [1, 2] }), /pixels/],
    ["wrong name", request({ name: "image" }), /image/],
    ["not JSON", "{", /JSON|parse/i],
  ])("%s is 400 with a text that says so", async (_, body, words) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(((await answer.json()) as { error: string }).error).toMatch(words);
  });

  it("wrong binary size is 400", async () => {
    const head = JSON.stringify({
      inputs: [
        { name: "pixels", shape: [1, 64], datatype: "FP32", parameters: { binary_data_size: 255 } },
      ],
    });
    const answer = await post(Buffer.concat([Buffer.from(head), Buffer.alloc(255)]), {
      "inference-header-content-length": String(head.length),
    });
    expect(answer.status).toBe(400);
  });

  it("an unknown model is 404", async () => {
    const answer = await post(request({}), {}, "nobody");
    expect(answer.status).toBe(404);
    expect(((await answer.json()) as { error: string }).error).toContain(
      "Request for unknown model",
    );
  });

  it("refuses a web page of another site", async () => {
    expect(
      (await post(request({}), { origin: "https://evil.example", "sec-fetch-site": "cross-site" }))
        .status,
    ).toBe(403);
  });
});

describe("several replicas", () => {
  it("answer side by side, each in a slot of its own", async () => {
    await deploy(installation, {
      name: "iris-thrice",
      engine: "onnx",
      model: { url: "s3://boardwalk-samples/iris-mlp/model.onnx" },
      board: { model: "cpu", kind: "cpu" },
      serving: { replicas: 3, instances: 1, maxBatchSize: 1 },
    });
    await until("three replicas", async () => {
      const { body } = await installation.api("/endpoints/iris-thrice");
      return endpointSchema.parse(body).replicas.serving === 3;
    });
    const { input, output } = sampleReference("iris-mlp");
    const statistics = async () => {
      const answer = await fetch(`${installation.gatewayUrl}/v2/models/iris-thrice/stats`);
      return (await answer.json()).model_stats[0] as {
        inference_count: number;
        memory_usage: unknown[];
      };
    };
    // The gateway hears of slots a moment after the portal does.
    await until("all three asked", async () => {
      const answers = await Promise.all(
        input.rows.map((row) => predict(installation, "iris-thrice", { name: input.name, row })),
      );
      for (const [index, { status, values }] of answers.entries()) {
        expect(status).toBe(200);
        expect(softmaxed(values)).toBe(softmaxed(output.rows[index] as number[]));
      }
      return (await statistics()).memory_usage.length === 3;
    });
    await installation.api("/endpoints/iris-thrice", { method: "DELETE" });
  }, 120_000);
});

describe("a route that switches back and forth", () => {
  it("loses none of the requests that come meanwhile", async () => {
    const name = "iris-switched";
    const request = {
      engine: "onnx",
      model: { url: "s3://boardwalk-samples/iris-mlp/model.onnx" },
      board: { model: "cpu", kind: "cpu" },
    };
    const seen = new Map<string, number>();
    const ask = async (): Promise<string> => {
      const answer = await fetch(`${installation.gatewayUrl}/v2/models/${name}/infer`, {
        method: "POST",
        body: JSON.stringify({
          inputs: [
            { name: "features", shape: [1, 4], datatype: "FP32", data: [5.1, 3.5, 1.4, 0.2] },
          ],
        }),
      });
      const body = (await answer.json()) as { model_version?: string; error?: string };
      const word = body.model_version ?? `${answer.status}: ${body.error}`;
      seen.set(word, (seen.get(word) ?? 0) + 1);
      return word;
    };
    const answersFrom = (revision: number) =>
      until(`revision ${revision}`, async () => (await ask()) === `${revision}`);
    await deploy(installation, { ...request, name });
    await untilReady(installation, name);
    let wanted = true;
    const callers = Array.from({ length: 8 }, async () => {
      while (wanted) await ask();
    });
    const send = async (path: string, body: object) => {
      const { status } = await installation.api(`/endpoints/${name}/${path}`, {
        method: "POST",
        body: JSON.stringify(body),
      });
      expect(status).toBe(202);
    };
    await send("revisions", { ...request, serving: { maxWaitMs: 1 } });
    await answersFrom(2);
    for (const revision of [1, 2, 1, 2, 1, 2, 1, 2]) {
      await send("rollback", { revision });
      await answersFrom(revision);
    }
    wanted = false;
    await Promise.all(callers);
    expect([...seen.keys()].toSorted()).toEqual(["1", "2"]);
    await installation.api(`/endpoints/${name}`, { method: "DELETE" });
  }, 180_000);
});

describe("the shell, byte by byte", () => {
  it("answers through the whole framed design, with a corrupted frame on the line", async () => {
    await deploy(installation, {
      name: "iris-shell",
      engine: "boardwalk",
      model: { url: "s3://boardwalk-samples/iris-mlp/model.onnx" },
      board: icebreaker,
      options: { simulate: "shell", ...oneClock },
    });
    await untilReady(installation, "iris-shell", 600_000);
    const { input, output } = sampleReference("iris-mlp");
    for (const [index, row] of input.rows.slice(0, 8).entries()) {
      const { status, values } = await predict(installation, "iris-shell", {
        name: input.name,
        row,
      });
      expect(status).toBe(200);
      expect(softmaxed(values)).toBe(softmaxed(output.rows[index] as number[]));
    }
  }, 900_000);
});
