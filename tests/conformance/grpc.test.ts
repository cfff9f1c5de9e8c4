import {
  create,
  type DescMessage,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { Client, credentials, Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Gateway, startGateway } from "@/gateway/gateway";
import {
  HealthCheckRequestSchema,
  HealthCheckResponseSchema,
  ModelReadyRequestSchema,
  ModelReadyResponseSchema,
  RepositoryModelLoadRequestSchema,
  RepositoryModelLoadResponseSchema,
  ServerReflectionRequestSchema,
  ServerReflectionResponseSchema,
} from "@/proto/inference";
import {
  ModelInferRequestSchema,
  ModelInferResponseSchema,
} from "@/proto/inference/generated/inference_pb";
import { type FakeBoard, serve, standardModels, startFakeBoard } from "./fake-board";

let board: FakeBoard;
let gateway: Gateway;
let client: Client;
let runs = 0;
let gate = Promise.resolve();
const controlled: [string, boolean][] = [];

beforeAll(async () => {
  board = await startFakeBoard();
  const endpoints = standardModels().map((model) =>
    serve(board, {
      ...model,
      run: async (inputs) => {
        runs++;
        await gate;
        return model.run(inputs);
      },
    }),
  );
  gateway = await startGateway({
    load: async () => ({ endpoints }),
    listen: () => ({ close: async () => {} }),
    control: {
      async setPaused(name, paused) {
        controlled.push([name, paused]);
        return true;
      },
    },
    host: "127.0.0.1",
    httpPort: 0,
    metricsPort: 0,
    allowedHosts: [],
    portalUrl: "http://portal.test:3000",
  });
  client = new Client(`127.0.0.1:${gateway.grpcPort}`, credentials.createInsecure());
});
afterAll(async () => {
  client.close();
  await gateway.close();
  await board.close();
});

interface Outcome<T> {
  readonly code: number;
  readonly details: string;
  readonly message: T | null;
}

function call<I extends DescMessage, O extends DescMessage>(
  path: string,
  [input, init]: [I, MessageInitShape<I>],
  output: O,
  { deadlineMs = 10_000 } = {},
): Promise<Outcome<MessageShape<O>>> {
  return new Promise((resolve) => {
    client.makeUnaryRequest(
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
const row = new Uint8Array(Float32Array.of(1, 2, 3, 4).buffer);
const infer = (init: MessageInitShape<typeof ModelInferRequestSchema>, deadlineMs?: number) =>
  call(
    `${service}/ModelInfer`,
    [ModelInferRequestSchema, init],
    ModelInferResponseSchema,
    deadlineMs === undefined ? {} : { deadlineMs },
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
    let open = (): void => {};
    gate = new Promise((resolve) => {
      open = resolve;
    });
    const scalar = {
      modelName: "matrix",
      inputs: [{ name: "x", datatype: "FP32", shape: [1n, 4n] }],
      rawInputContents: [row],
    };
    const busy = [infer(scalar), infer(scalar)];
    const before = runs;
    await expect.poll(() => runs).toBe(before + 2);
    const late = await infer(scalar, 50);
    expect(late.code).toBe(status.DEADLINE_EXCEEDED);
    open();
    gate = Promise.resolve();
    for (const { code } of await Promise.all(busy)) expect(code).toBe(status.OK);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(runs).toBe(before + 2);
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
        { deadline: Date.now() + 10_000 },
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
