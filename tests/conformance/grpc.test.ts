import { connect as connectHttp2, type IncomingHttpHeaders } from "node:http2";
import {
  create,
  type DescMessage,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import {
  Client,
  type ClientOptions,
  compressionAlgorithms,
  credentials,
  Metadata,
  type ServiceError,
  status,
} from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RouteEndpoint } from "@/domain/routes";
import type { Gateway } from "@/gateway/gateway";
import {
  HealthCheckRequestSchema,
  HealthCheckResponseSchema,
  ModelConfigRequestSchema,
  ModelConfigResponseSchema,
  ModelReadyRequestSchema,
  ModelReadyResponseSchema,
  ModelStatisticsRequestSchema,
  ModelStatisticsResponseSchema,
  RepositoryIndexRequestSchema,
  RepositoryIndexResponseSchema,
  RepositoryModelLoadRequestSchema,
  RepositoryModelLoadResponseSchema,
  ServerReflectionRequestSchema,
  ServerReflectionResponseSchema,
} from "@/proto/inference";
import {
  ModelInferRequestSchema,
  ModelInferResponseSchema,
  ModelStreamInferResponseSchema,
} from "@/proto/inference/generated/inference_pb";
import { callAt } from "@/tests/support/call";
import { startTestGateway } from "@/tests/support/gateway";
import { type RealBoard, startRealBoard } from "@/tests/support/real-board";
import { echo, realModels, serveRealModels } from "@/tests/support/real-models";
import { temperamentalModel } from "@/tests/support/temperamental-model";

// The checklist over gRPC, against a real board server.

let board: RealBoard;
let gateway: Gateway;
let client: Client;
const controlled: [string, boolean][] = [];

beforeAll(async () => {
  board = await startRealBoard();
  const endpoints = await serveRealModels(board, [...realModels, temperamentalModel("slow", 0)]);
  const disabled = (await board.serve(
    echo("off", { name: "x", datatype: "FP32", shape: [-1] }),
  )) as RouteEndpoint;
  gateway = await startTestGateway([...endpoints, { ...disabled, state: "paused" }], {
    control: {
      async setPaused(name, paused) {
        controlled.push([name, paused]);
        return true;
      },
    },
  });
  client = connect();
});
afterAll(async () => {
  client.close();
  await gateway.close();
  await board.close();
});

function connect(options: ClientOptions = {}): Client {
  return new Client(`127.0.0.1:${gateway.grpcPort}`, credentials.createInsecure(), {
    "grpc.max_receive_message_length": -1,
    "grpc.max_send_message_length": -1,
    ...options,
  });
}

interface Outcome<T> {
  readonly code: number;
  readonly details: string;
  readonly message: T | null;
}

function call<I extends DescMessage, O extends DescMessage>(
  path: string,
  [input, init]: [I, MessageInitShape<I>],
  output: O,
  { deadlineMs = 60_000, by = client }: { deadlineMs?: number; by?: Client } = {},
): Promise<Outcome<MessageShape<O>>> {
  return new Promise((resolve) => {
    by.makeUnaryRequest(
      path,
      (value: Uint8Array) => Buffer.from(value),
      (value: Buffer) => fromBinary(output, value),
      toBinary(input, create(input, init)),
      new Metadata(),
      { deadline: Date.now() + deadlineMs },
      (error: ServiceError | null, message) =>
        resolve({
          code: error?.code ?? status.OK,
          details: error?.details ?? "",
          message: message ?? null,
        }),
    );
  });
}

const service = "/inference.GRPCInferenceService";
function bytesOf({ buffer }: { readonly buffer: ArrayBuffer }): Uint8Array {
  return new Uint8Array(buffer);
}
const row = bytesOf(Float32Array.of(1, 2, 3, 4));
const infer = (
  init: MessageInitShape<typeof ModelInferRequestSchema>,
  options: { deadlineMs?: number; by?: Client } = {},
) =>
  call(`${service}/ModelInfer`, [ModelInferRequestSchema, init], ModelInferResponseSchema, options);
const statistics = (name: string) =>
  call(
    `${service}/ModelStatistics`,
    [ModelStatisticsRequestSchema, { name }],
    ModelStatisticsResponseSchema,
  );
const single = {
  modelName: "single",
  inputs: [{ name: "x", datatype: "FP32", shape: [1n, 4n] }],
  rawInputContents: [row],
};

describe("a call", () => {
  it("54 tells an unready model from an unknown one", async () => {
    const ready = (name: string) =>
      call(`${service}/ModelReady`, [ModelReadyRequestSchema, { name }], ModelReadyResponseSchema);
    expect(await ready("single")).toMatchObject({ code: status.OK, message: { ready: true } });
    expect(await ready("loading")).toMatchObject({ code: status.OK, message: { ready: false } });
    expect(await ready("nope")).toMatchObject({
      code: status.NOT_FOUND,
      details: expect.stringContaining("Request for unknown model"),
    });
  });

  it("55 is answered raw, one entry for each output", async () => {
    const { message } = await infer({ ...single, id: "é" });
    expect(message).toMatchObject({ modelName: "single", modelVersion: "1", id: "é" });
    expect(message?.rawOutputContents).toHaveLength(1);
    expect(message?.outputs[0]?.contents).toBeUndefined();
    expect(Buffer.from(message?.rawOutputContents[0] ?? []).equals(row)).toBe(true);
  });

  it.each([
    [
      "57 raw and typed contents",
      { ...single, inputs: [{ ...single.inputs[0], contents: { fp32Contents: [1] } }] },
      /contents field must not be specified when using raw_input_contents for 'x' for model 'single'/,
    ],
    [
      "57 too few raw contents",
      {
        modelName: "add",
        inputs: ["a", "b"].map((name) => ({ name, datatype: "FP32", shape: [1n, 4n] })),
        rawInputContents: [row],
      },
      /expected 2 raw_input/,
    ],
    [
      "57 too many raw contents",
      { ...single, rawInputContents: [row, row] },
      /expected 1 raw_input/,
    ],
    [
      "58 FP16 in typed contents",
      {
        modelName: "echo_fp16",
        inputs: [{ name: "x", datatype: "FP16", shape: [1n], contents: { fp32Contents: [1] } }],
      },
      /raw/,
    ],
    [
      "58 INT8 out of range",
      {
        modelName: "echo_int8",
        inputs: [{ name: "x", datatype: "INT8", shape: [1n], contents: { intContents: [200] } }],
      },
      /element 0 of input 'x' is 200/,
    ],
    [
      "a negative dimension",
      { ...single, inputs: [{ ...single.inputs[0], shape: [-1n, 4n] }] },
      /-1/,
    ],
    [
      "a shape that is not sent",
      { ...single, inputs: [{ ...single.inputs[0], shape: [2147483648n, 16n] }] },
      /./,
    ],
    ["a version that is none", { ...single, modelVersion: "1.0.0" }, /version/],
    ["no contents", { ...single, rawInputContents: [] }, /no contents/],
  ])("%s is INVALID_ARGUMENT", async (_, init, words) => {
    const { code, details } = await infer(init as never);
    expect([status.INVALID_ARGUMENT, status.RESOURCE_EXHAUSTED]).toContain(code);
    expect(details).toMatch(words);
  });

  it("63 past its deadline is told so, and never runs", async () => {
    const request = (value: number) => ({
      modelName: "slow",
      inputs: [{ name: "x", datatype: "FP32", shape: [1n, 1n] }],
      rawInputContents: [bytesOf(Float32Array.of(value))],
    });
    // As many as the model runs and takes ahead, so that the next one waits.
    const busy = Array.from({ length: 8 }, () => infer(request(300), { deadlineMs: 60_000 }));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect((await infer(request(1), { deadlineMs: 1 })).code).toBe(status.DEADLINE_EXCEEDED);
    for (const { code } of await Promise.all(busy)) expect(code).toBe(status.OK);
    const { message } = await statistics("slow");
    expect(message?.modelStats[0]?.executionCount).toBe(8n);
  });

  it.each([
    ["BOOL", { boolContents: [true, false] }, Uint8Array.of(1, 0)],
    ["INT8", { intContents: [-128, 127] }, bytesOf(Int8Array.of(-128, 127))],
    ["INT16", { intContents: [-2, 3] }, bytesOf(Int16Array.of(-2, 3))],
    ["INT32", { intContents: [-2, 3] }, bytesOf(Int32Array.of(-2, 3))],
    ["INT64", { int64Contents: [-(2n ** 63n), 3n] }, bytesOf(BigInt64Array.of(-(2n ** 63n), 3n))],
    ["UINT8", { uintContents: [0, 255] }, Uint8Array.of(0, 255)],
    ["UINT16", { uintContents: [1, 65_535] }, bytesOf(Uint16Array.of(1, 65_535))],
    ["UINT32", { uintContents: [1, 2 ** 32 - 1] }, bytesOf(Uint32Array.of(1, 2 ** 32 - 1))],
    [
      "UINT64",
      { uint64Contents: [1n, 2n ** 64n - 1n] },
      bytesOf(BigUint64Array.of(1n, 2n ** 64n - 1n)),
    ],
    ["FP32", { fp32Contents: [0.5, -2] }, bytesOf(Float32Array.of(0.5, -2))],
    ["FP64", { fp64Contents: [0.1, -2] }, bytesOf(Float64Array.of(0.1, -2))],
    [
      "BYTES",
      { bytesContents: [Buffer.from("é"), Buffer.from("")] },
      Uint8Array.of(2, 0, 0, 0, 0xc3, 0xa9, 0, 0, 0, 0),
    ],
  ])("56 may have typed contents of %s, and is answered raw", async (datatype, contents, bytes) => {
    const typed = { name: "x", datatype, shape: [2n], contents };
    const { message } = await infer({
      modelName: `echo_${datatype.toLowerCase()}`,
      inputs: [typed],
    });
    expect(message?.outputs[0]?.contents).toBeUndefined();
    expect(Buffer.from(message?.rawOutputContents[0] ?? []).equals(bytes)).toBe(true);
  });

  it("59 has one empty entry for an output without elements", async () => {
    const empty = { name: "x", datatype: "FP32", shape: [0n, 4n] };
    for (const inputs of [
      { inputs: [empty], rawInputContents: [new Uint8Array()] },
      { inputs: [empty] },
    ]) {
      const { message } = await infer({ modelName: "matrix", ...inputs });
      expect(message?.rawOutputContents.map(({ length }) => length)).toEqual([0]);
      expect(message?.outputs[0]?.shape).toEqual([0n, 4n]);
    }
  });

  it("60 may carry parameters that mean nothing to it", async () => {
    const bool = { parameterChoice: { case: "boolParam" as const, value: true } };
    const size = { parameterChoice: { case: "int64Param" as const, value: 16n } };
    const { code } = await infer({
      ...single,
      parameters: { triton_enable_empty_final_response: bool },
      inputs: single.inputs.map((input) => ({ ...input, parameters: { binary_data_size: size } })),
    });
    expect(code).toBe(status.OK);
  });

  it("61 may be 32 MiB, and is told when it is too large", async () => {
    const large = (mebibytes: number) => {
      const bytes = new Uint8Array(mebibytes * 2 ** 20).fill(1);
      const shape = [1n, BigInt(bytes.length / 4)];
      return {
        modelName: "matrix",
        inputs: [{ name: "x", datatype: "FP32", shape }],
        rawInputContents: [bytes],
      };
    };
    const passed = await infer(large(32), { deadlineMs: 60_000 });
    expect(passed.message?.rawOutputContents[0]?.length).toBe(32 * 2 ** 20);
    expect((await infer(large(65), { deadlineMs: 60_000 })).code).toBe(status.RESOURCE_EXHAUSTED);
    expect((await infer(single)).code).toBe(status.OK);
  });

  it.each([
    ["deflate", compressionAlgorithms.deflate],
    ["gzip", compressionAlgorithms.gzip],
  ])("62 may be packed by %s", async (_, algorithm) => {
    const by = connect({ "grpc.default_compression_algorithm": algorithm });
    const { message } = await infer(single, { by });
    expect(Buffer.from(message?.rawOutputContents[0] ?? []).equals(row)).toBe(true);
    by.close();
  });

  it("62 packed by something else is UNIMPLEMENTED", async () => {
    const session = connectHttp2(`http://127.0.0.1:${gateway.grpcPort}`);
    const stream = session.request({
      ":method": "POST",
      ":path": `${service}/ServerLive`,
      "content-type": "application/grpc",
      te: "trailers",
      "grpc-encoding": "br",
    });
    stream.end(Buffer.from([1, 0, 0, 0, 1, 6]));
    stream.resume();
    const told = await new Promise<string>((resolve) => {
      const note = (headers: IncomingHttpHeaders) => {
        if (headers["grpc-status"] !== undefined) resolve(String(headers["grpc-status"]));
      };
      stream.on("response", note);
      stream.on("trailers", note);
    });
    session.close();
    expect(told).toBe(String(status.UNIMPLEMENTED));
  });

  it("64 in a stream is answered in order, and a bad one ends nothing", async () => {
    const stream = client.makeBidiStreamRequest(
      `${service}/ModelStreamInfer`,
      (value: Uint8Array) => Buffer.from(value),
      (value: Buffer) => fromBinary(ModelStreamInferResponseSchema, value),
      new Metadata(),
      { deadline: Date.now() + 60_000 },
    );
    const ids: string[] = [];
    const failed: string[] = [];
    const ended = new Promise<number>((resolve) => {
      stream.on("data", ({ errorMessage, inferResponse }) => {
        ids.push(inferResponse?.id ?? "");
        if (errorMessage !== "") failed.push(errorMessage);
      });
      stream.on("status", ({ code }) => resolve(code));
      stream.on("error", () => {});
    });
    for (let index = 0; index < 100; index++) {
      // Its tensors cannot be read either, which nobody tries for a model that is not there.
      const bad = index === 50 ? { modelName: "nope", rawInputContents: [new Uint8Array(3)] } : {};
      const request = create(ModelInferRequestSchema, { ...single, ...bad, id: String(index) });
      stream.write(toBinary(ModelInferRequestSchema, request));
    }
    stream.end();
    expect(await ended).toBe(status.OK);
    expect(ids).toEqual(Array.from({ length: 100 }, (_, index) => String(index)));
    expect(failed).toEqual([expect.stringContaining("Request for unknown model")]);
    const lines = async () => (await callAt(gateway.metricsPort, "/metrics")).text.split("\n");
    await expect
      .poll(lines)
      .toEqual(
        expect.arrayContaining([
          'boardwalk_grpc_requests_total{rpc="ModelStreamInfer",code="0"} 99',
          'boardwalk_grpc_requests_total{rpc="ModelStreamInfer",code="5"} 1',
        ]),
      );
  });

  it("64 is counted with its model and bytes on the metrics port, unknown models under one name", async () => {
    const counts = async (): Promise<(number | undefined)[]> => {
      const { text } = await callAt(gateway.metricsPort, "/metrics");
      return [
        `request_duration_seconds_count{model="${single.modelName}",protocol="grpc",outcome="success"}`,
        'request_duration_seconds_count{model="unknown",protocol="grpc",outcome="refused"}',
        "request_bytes_count",
        "response_bytes_count",
      ].map((name) => {
        const line = text.split("\n").find((each) => each.startsWith(`boardwalk_${name}`));
        return Number(line?.split(" ").at(-1) ?? 0);
      });
    };
    const [good = 0, unknown = 0, requests = 0, responses = 0] = await counts();
    await infer(single);
    await infer({ ...single, modelName: "nope" } as never);
    await expect.poll(counts).toEqual([good + 1, unknown + 1, requests + 1, responses + 1]);
  });

  it.each([
    ["an unknown model", { modelName: "nope" }, status.NOT_FOUND],
    ["an unknown version", { modelVersion: "99" }, status.NOT_FOUND],
    ["one that is loading", { modelName: "loading" }, status.UNAVAILABLE],
    [
      "a wrong datatype",
      { inputs: [{ ...single.inputs[0], datatype: "FP64" }] },
      status.INVALID_ARGUMENT,
    ],
    ["an unknown output", { outputs: [{ name: "z" }] }, status.INVALID_ARGUMENT],
  ])("65 names %s in its status", async (_, init, expected) => {
    const { code, details } = await infer({ ...single, ...init } as never);
    expect(code).toBe(expected);
    expect(details).not.toBe("");
  });

  it("66 tells configuration and statistics", async () => {
    const config = (name: string) =>
      call(
        `${service}/ModelConfig`,
        [ModelConfigRequestSchema, { name }],
        ModelConfigResponseSchema,
      );
    expect((await config("add")).message?.config).toMatchObject({
      maxBatchSize: 8,
      input: [{ dims: [4n] }, { dims: [4n] }],
    });
    expect((await config("echo_bytes")).message?.config?.input[0]?.dataType).toBe(13);
    const { message } = await statistics("add");
    expect(message?.modelStats.map(({ version }) => version)).toEqual(["1", "2"]);
  });

  it("67 lists what is served, and nothing that is switched off", async () => {
    const { message } = await call(
      `${service}/RepositoryIndex`,
      [RepositoryIndexRequestSchema, { ready: true }],
      RepositoryIndexResponseSchema,
    );
    const states = new Map(message?.models.map(({ name, state }) => [name, state]));
    expect(states.get("add")).toBe("READY");
    expect(states.has("off")).toBe(false);
  });

  it("68 of KServe's layout loads the model that it means", async () => {
    const path = `${service}/RepositoryModelLoad`;
    for (const init of [{ modelName: "single" }, { repositoryName: "single" }]) {
      const request: [typeof RepositoryModelLoadRequestSchema, typeof init] = [
        RepositoryModelLoadRequestSchema,
        init,
      ];
      expect(await call(path, request, RepositoryModelLoadResponseSchema)).toMatchObject({
        code: status.OK,
      });
    }
    expect(controlled).toEqual([
      ["single", false],
      ["single", false],
    ]);
  });

  it.each(["SystemSharedMemoryStatus", "CudaSharedMemoryRegister", "TraceSetting", "LogSettings"])(
    "70 %s is UNIMPLEMENTED",
    async (rpc) => {
      const { code } = await call(
        `${service}/${rpc}`,
        [ModelReadyRequestSchema, {}],
        ModelReadyResponseSchema,
      );
      expect(code).toBe(status.UNIMPLEMENTED);
    },
  );
});

describe("69 beside inference", () => {
  it("health is told, overall and for the service", async () => {
    const check = (name: string) =>
      call(
        "/grpc.health.v1.Health/Check",
        [HealthCheckRequestSchema, { service: name }],
        HealthCheckResponseSchema,
      );
    for (const name of ["", "inference.GRPCInferenceService"])
      expect(await check(name)).toMatchObject({ code: status.OK, message: { status: 1 } });
    expect((await check("other")).code).toBe(status.NOT_FOUND);
  });

  it.each(["v1", "v1alpha"])(
    "reflection %s lists services and gives their files",
    async (version) => {
      const stream = client.makeBidiStreamRequest(
        `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`,
        (value: Uint8Array) => Buffer.from(value),
        (value: Buffer) => fromBinary(ServerReflectionResponseSchema, value),
        new Metadata(),
        { deadline: Date.now() + 60_000 },
      );
      const answers: MessageShape<typeof ServerReflectionResponseSchema>[] = [];
      const ended = new Promise<void>((resolve, reject) => {
        stream.on("data", (answer) => answers.push(answer));
        stream.on("end", resolve);
        stream.on("error", reject);
      });
      for (const messageRequest of [
        { case: "listServices" as const, value: "" },
        { case: "fileContainingSymbol" as const, value: "inference.GRPCInferenceService" },
        { case: "fileContainingSymbol" as const, value: "nobody.Knows" },
      ]) {
        const request = create(ServerReflectionRequestSchema, { messageRequest });
        stream.write(toBinary(ServerReflectionRequestSchema, request));
      }
      stream.end();
      await ended;
      const [list, file, unknown] = answers.map(({ messageResponse }) => messageResponse);
      expect(JSON.stringify(list?.value)).toContain("inference.GRPCInferenceService");
      expect(file?.case).toBe("fileDescriptorResponse");
      expect(unknown?.case).toBe("errorResponse");
    },
  );
});
