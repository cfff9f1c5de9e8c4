import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Gateway } from "@/gateway/gateway";
import { found, startWithModels } from "@/tests/clients/gateway";

// grpcurl, which knows of the service only what reflection tells it, and NVIDIA's load generator.

const run = promisify(execFile);
const service = "inference.GRPCInferenceService";
let gateway: Gateway;

beforeAll(async () => {
  gateway = await startWithModels();
});
afterAll(() => gateway.close());

describe("93 grpcurl", () => {
  const grpcurl = async (...args: string[]) => {
    const options = args.filter((each) => each.startsWith("{")).flatMap((json) => ["-d", json]);
    const words = args.filter((each) => !each.startsWith("{"));
    const address = `127.0.0.1:${gateway.grpcPort}`;
    const { stdout } = await run(found("GRPCURL"), ["-plaintext", ...options, address, ...words]);
    return stdout;
  };
  const input = (name: string, values: readonly number[]) => ({
    name,
    datatype: "FP32",
    shape: [1, 4],
    contents: { fp32_contents: values },
  });
  const request = {
    model_name: "add",
    id: "r1",
    inputs: [input("a", [1, 2, 3, 4]), input("b", [0.5, 0.5, 0.5, 0.5])],
    outputs: [{ name: "sum" }],
  };

  it("lists the services", async () => {
    expect((await grpcurl("list")).trim().split("\n").sort()).toEqual(
      expect.arrayContaining([service, "grpc.health.v1.Health"]),
    );
    expect(await grpcurl("list", service)).toContain(`${service}.ModelInfer\n`);
  });

  it("describes a service, a method and its message", async () => {
    expect(await grpcurl("describe", service)).toContain("rpc ModelInfer");
    expect(await grpcurl("describe", `${service}.ModelInfer`)).toContain(
      "( .inference.ModelInferRequest )",
    );
    expect(await grpcurl("describe", "inference.ModelInferRequest")).toContain(
      "repeated bytes raw_input_contents = 7",
    );
  });

  it("finds the server healthy and the model ready", async () => {
    const health = await grpcurl("grpc.health.v1.Health/Check");
    expect(JSON.parse(health)).toEqual({ status: "SERVING" });
    const ready = await grpcurl(JSON.stringify({ name: "add" }), `${service}/ModelReady`);
    expect(JSON.parse(ready)).toEqual({ ready: true });
  });

  it("infers from typed contents, and reads typed ones where it asks for them", async () => {
    const parameters = { binary_data_output: { bool_param: false } };
    const text = JSON.stringify({ ...request, parameters });
    expect(JSON.parse(await grpcurl(text, `${service}/ModelInfer`))).toEqual({
      modelName: "add",
      modelVersion: "2",
      id: "r1",
      outputs: [
        {
          name: "sum",
          datatype: "FP32",
          shape: ["1", "4"],
          contents: { fp32Contents: [1.5, 2.5, 3.5, 4.5] },
        },
      ],
    });
    const raw = JSON.parse(await grpcurl(JSON.stringify(request), `${service}/ModelInfer`));
    const bytes = Buffer.from(Float32Array.of(1.5, 2.5, 3.5, 4.5).buffer);
    expect(raw.rawOutputContents).toEqual([bytes.toString("base64")]);
  });

  it("is told why when there is no such model", async () => {
    const asked = grpcurl(
      JSON.stringify({ ...request, model_name: "nope" }),
      `${service}/ModelInfer`,
    );
    await expect(asked).rejects.toMatchObject({
      stderr: expect.stringMatching(/Code: NotFound[\s\S]*'nope'/),
    });
  });
});

describe("95 perf_analyzer", () => {
  it.each([
    ["http", 1],
    ["http", 8],
    ["grpc", 1],
    ["grpc", 8],
  ])("over %s in batches of %i, 16 requests at a time", async (protocol, batch) => {
    const port = protocol === "http" ? gateway.httpPort : gateway.grpcPort;
    const before = await counts();
    const { stdout, stderr } = await run(
      found("PERF_ANALYZER"),
      [
        ...["-m", "add", "-u", `127.0.0.1:${port}`, "-i", protocol, "-b", String(batch)],
        ...["--concurrency-range", "16", "--measurement-mode", "count_windows"],
        ...["--measurement-request-count", "200", "--stability-percentage", "999"],
      ],
      { env: { ...process.env, LD_LIBRARY_PATH: found("PERF_ANALYZER_LIBRARIES") } },
    );
    const after = await counts();
    expect(stderr).not.toMatch(/error|fail/i);
    expect(Number(/Request count: (\d+)/.exec(stdout)?.[1])).toBeGreaterThan(100);
    expect(after.fail - before.fail).toBe(0);
    expect(after.inferences - before.inferences).toBeGreaterThan(200 * batch);
  });

  async function counts(): Promise<{ readonly fail: number; readonly inferences: number }> {
    const answer = await fetch(`http://127.0.0.1:${gateway.httpPort}/v2/models/add/stats`);
    const { model_stats: all } = (await answer.json()) as {
      model_stats: { inference_count: number; inference_stats: { fail: { count: number } } }[];
    };
    return {
      fail: all.reduce((total, each) => total + each.inference_stats.fail.count, 0),
      inferences: all.reduce((total, each) => total + each.inference_count, 0),
    };
  }
});
