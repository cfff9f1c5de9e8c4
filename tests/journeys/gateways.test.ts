import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { Client, credentials } from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  ModelInferRequestSchema,
  ModelInferResponseSchema,
} from "@/proto/inference/generated/inference_pb";
import { freePort } from "@/scripts/lib/ports.mjs";
import { deploy, sampleReference, until, untilReady } from "@/tests/support/client";
import { sendGrpc } from "@/tests/support/grpc-call";
import { type Installation, startInstallation } from "@/tests/support/installation";

// Two gateways behind one address, by the file for HAProxy that the documentation gives: both answer, one may die or be stopped.

const name = "iris-mlp";
const { input } = sampleReference(name);
const row = input.rows[0] ?? [];
const infer = "/inference.GRPCInferenceService/ModelInfer";
const second = {
  GATEWAY_HTTP_PORT: String(await freePort()),
  GATEWAY_GRPC_PORT: String(await freePort()),
  GATEWAY_METRICS_PORT: String(await freePort()),
};
const [http, grpc] = [await freePort(), await freePort()];
let installation: Installation;
let balancer: ChildProcess;
let expected: readonly number[];

beforeAll(async () => {
  installation = await startInstallation("gateways", {
    copies: { "gateway-2": second },
    variables: { GATEWAY_DRAIN_S: "4" },
  });
  const { variables, home } = installation;
  const ports: Readonly<Record<string, string | undefined>> = {
    "8000": variables["GATEWAY_HTTP_PORT"],
    "8001": variables["GATEWAY_GRPC_PORT"],
    "8010": second.GATEWAY_HTTP_PORT,
    "8011": second.GATEWAY_GRPC_PORT,
    "9000": String(http),
    "9001": String(grpc),
  };
  const file = home.at("haproxy.cfg");
  writeFileSync(
    file,
    readFileSync("docs/haproxy.cfg", "utf8").replace(
      /\b(8000|8001|8010|8011|9000|9001)\b/g,
      (port) => ports[port] ?? port,
    ),
  );
  balancer = spawn("haproxy", ["-f", file], { stdio: "inherit" });
  await deploy(installation, {
    name,
    engine: "onnx",
    model: { url: `s3://boardwalk-samples/${name}/model.onnx` },
    board: { model: "cpu", kind: "cpu" },
  });
  await untilReady(installation, name);
  expected = await until("an answer", overHttp);
}, 180_000);

afterAll(async () => {
  balancer?.kill("SIGKILL");
  await installation?.stop();
});

/** The answer to the row; null where there was none. */
async function overHttp(): Promise<readonly number[] | null> {
  try {
    const answer = await fetch(`http://127.0.0.1:${http}/v2/models/${name}/infer`, {
      method: "POST",
      body: JSON.stringify({
        inputs: [{ name: input.name, shape: [1, row.length], datatype: "FP32", data: row }],
      }),
    });
    const body = (await answer.json()) as { outputs?: { data: number[] }[] };
    return answer.status === 200 ? (body.outputs?.[0]?.data.map(Math.fround) ?? null) : null;
  } catch {
    return null;
  }
}

async function overGrpc(): Promise<readonly number[] | null> {
  const client = new Client(`127.0.0.1:${grpc}`, credentials.createInsecure(), {
    "grpc.use_local_subchannel_pool": 1,
  });
  const message = toBinary(
    ModelInferRequestSchema,
    create(ModelInferRequestSchema, {
      modelName: name,
      inputs: [
        {
          name: input.name,
          datatype: "FP32",
          shape: [1n, BigInt(row.length)],
          contents: { fp32Contents: [...row] },
        },
      ],
    }),
  );
  const { code, answer } = await sendGrpc(client, infer, { message });
  client.close();
  if (code !== 0) return null;
  const { rawOutputContents, outputs } = fromBinary(ModelInferResponseSchema, answer);
  const [raw] = rawOutputContents;
  if (!raw) return outputs[0]?.contents?.fp32Contents ?? null;
  return [...new Float32Array(Uint8Array.from(raw).buffer)];
}

/** So many calls one after the other; how many had no answer. Every answer is the right one. */
async function failures(ask: typeof overHttp, count: number): Promise<number> {
  let failed = 0;
  for (let n = 0; n < count; n++) {
    const values = await ask();
    if (values === null) failed++;
    else expect(values).toEqual(expected);
  }
  return failed;
}

/** How many requests a gateway has answered since it started, other than questions for its health. */
async function answered(metricsPort: string | undefined): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const counters = /^boardwalk_(?:http|grpc)_requests_total\{[^}]*infer[^}]*\} (\d+)/gim;
  return [...text.matchAll(counters)].reduce((sum, [, count]) => sum + Number(count), 0);
}

const firstMetrics = () => installation.variables["GATEWAY_METRICS_PORT"];

describe("two gateways behind one address", () => {
  it.each([
    ["HTTP", overHttp],
    ["gRPC", overGrpc],
  ])("both answer over %s", async (_, ask) => {
    const counts = () =>
      Promise.all([answered(firstMetrics()), answered(second.GATEWAY_METRICS_PORT)]);
    const before = await counts();
    let failed = 0;
    // The balancer may see later than the first that the second one is ready.
    await until("answers of both", async () => {
      failed += await failures(ask, 20);
      const now = await counts();
      return now[0] > before[0] && now[1] > before[1];
    });
    expect(failed).toBe(0);
  });

  it("one that is killed costs the calls it had at most, and is asked again once it is back", async () => {
    const asking = Promise.all([failures(overHttp, 100), failures(overGrpc, 100)]);
    await installation.processes.kill("gateway-2");
    const [failedHttp, failedGrpc] = await asking;
    // One call at a time was under way on each.
    expect(failedHttp).toBeLessThanOrEqual(1);
    expect(failedGrpc).toBeLessThanOrEqual(1);
    expect(await failures(overHttp, 20)).toBe(0);
    installation.processes.start("gateway-2", second);
    await until("the second gateway answers again", async () => {
      await failures(overHttp, 10);
      return (await answered(second.GATEWAY_METRICS_PORT)) > 0;
    });
  });

  it("one that is stopped costs none", async () => {
    const asking = Promise.all([failures(overHttp, 200), failures(overGrpc, 200)]);
    await installation.processes.stop("gateway-2");
    expect(await asking).toEqual([0, 0]);
    installation.processes.start("gateway-2", second);
  });
});
