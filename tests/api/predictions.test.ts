import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Gateway } from "@/gateway/gateway";
import {
  joinMessage,
  parseInferRequest,
  parseInferResponse,
  type Tensor,
  writeInferRequest,
} from "@/lib/common/tensor";
import { call, openApi } from "../support/api";
import { iris } from "../support/domain";
import { startTestGateway } from "../support/gateway";
import { type RealBoard, startRealBoard } from "../support/real-board";
import { echo, realModels } from "../support/real-models";

// The portal's way to the gateway, by each protocol, against real sessions of ONNX Runtime.

openApi();

let board: RealBoard;
let gateway: Gateway;

beforeAll(async () => {
  board = await startRealBoard();
  const models = [
    echo("echo-int64", { name: "x", datatype: "INT64", shape: [-1] }),
    echo("echo-fp16", { name: "x", datatype: "FP16", shape: [-1] }),
    ...realModels.filter(({ name }) => name === "add"),
  ];
  const endpoints = await Promise.all(models.map((model) => board.serve(model)));
  gateway = await startTestGateway(endpoints);
  process.env["GATEWAY_URL"] = `http://127.0.0.1:${gateway.httpPort}`;
  process.env["GATEWAY_GRPC_PORT"] = String(gateway.grpcPort);
  for (const { name } of models) {
    await call("POST", "/endpoints", { json: iris(name) });
    await vi.waitUntil(
      async () => (await fetch(`${process.env["GATEWAY_URL"]}/v2/models/${name}/ready`)).ok,
      { timeout: 30_000 },
    );
  }
});
afterAll(async () => {
  await gateway.close();
  await board.close();
});

const add = (data: readonly number[]) =>
  JSON.stringify({
    id: "mine",
    inputs: ["a", "b"].map((name) => ({ name, shape: [1, 4], datatype: "FP32", data })),
  });
const post = (target: string, body: BodyInit, headers: Record<string, string> = {}) =>
  call("POST", target, { body, headers: { "content-type": "application/json", ...headers } });

describe("a prediction through the portal", () => {
  it.each(["json", "binary", "grpc"])(
    "over %s is answered with the split of its time",
    async (protocol) => {
      const response = await post(
        `/endpoints/add/predict?protocol=${protocol}`,
        add([1, 2, 3, 0.5]),
      );
      expect(response.status).toBe(200);
      const answer = await response.json();
      expect(answer).toMatchObject({ id: "mine", model_name: "add" });
      expect(answer.outputs[0]).toMatchObject({ name: "sum", data: [2, 4, 6, 1] });
      expect(answer.timing.gatewayNs).toBeGreaterThan(0);
    },
  );

  it.each(["json", "grpc"])("over %s asks for the revision that was chosen", async (protocol) => {
    const ask = async (revision: number) => {
      const target = `/endpoints/add/predict?protocol=${protocol}&revision=${revision}`;
      const response = await post(target, add([1, 1, 1, 1]));
      return [response.status, await response.json()] as const;
    };
    expect(await ask(1)).toMatchObject([200, { model_version: "1" }]);
    expect(await ask(2)).toMatchObject([200, { model_version: "2" }]);
    expect(await ask(9)).toMatchObject([404, { error: { reason: "MODEL_NOT_FOUND" } }]);
  });

  it.each(["json", "grpc"])("over %s loses no digit of a 64-bit integer", async (protocol) => {
    const digits = "[9223372036854775807,-9223372036854775808,9007199254740993]";
    const body = `{"inputs":[{"name":"x","shape":[3],"datatype":"INT64","data":${digits}}]}`;
    const response = await post(`/endpoints/echo-int64/predict?protocol=${protocol}`, body);
    expect(await response.text()).toContain(`"data":${digits}`);
  });

  it("takes blobs and answers with blobs", async () => {
    const body = '{"inputs":[{"name":"x","shape":[2],"datatype":"FP16","data":[0.1,-65504]}]}';
    const { inputs } = parseInferRequest(Buffer.from(body));
    const message = joinMessage(writeInferRequest("", [inputs]));
    const response = await post("/endpoints/echo-fp16/predict?protocol=binary", message.body, {
      "content-type": "application/octet-stream",
      "inference-header-content-length": String(message.headerLength),
    });
    const headerLength = Number(response.headers.get("inference-header-content-length"));
    expect(JSON.parse(response.headers.get("boardwalk-timing") ?? "")).toHaveProperty("gatewayNs");
    const answered = new Uint8Array(await response.arrayBuffer());
    const [y] = parseInferResponse(answered, { headerLength }) as [Tensor];
    expect(y.data).toEqual(inputs[0]?.data);
  });

  it.each(["json", "grpc"])("over %s is refused in the gateway's own words", async (protocol) => {
    const body = '{"inputs":[{"name":"nope","shape":[1],"datatype":"FP32","data":[1]}]}';
    const response = await post(`/endpoints/add/predict?protocol=${protocol}`, body);
    expect(response.status).toBe(400);
    const { error } = await response.json();
    expect(error).toMatchObject({ reason: "INFER_INVALID" });
    expect(error.message).toContain("nope");
  });

  it("over another protocol is refused", async () => {
    const response = await post("/endpoints/add/predict?protocol=smtp", add([1, 1, 1, 1]));
    expect(response.status).toBe(400);
  });
});

describe("the model behind an endpoint", () => {
  it("is asked for rows and float answers once it is built, and not before", async () => {
    const rows = await call("GET", "/endpoints/add/test-rows");
    const float = await post("/endpoints/add/float", add([1, 1, 1, 1]));
    for (const response of [rows, float]) {
      expect(response.status).toBe(503);
      expect(await response.json()).toMatchObject({ error: { reason: "MODEL_NOT_READY" } });
    }
    expect((await call("GET", "/endpoints/nobody/test-rows")).status).toBe(404);
  });
});
