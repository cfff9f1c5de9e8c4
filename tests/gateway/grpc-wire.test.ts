import { type ClientHttp2Session, connect, constants, type OutgoingHttpHeaders } from "node:http2";
import { create, toBinary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Gateway } from "@/gateway/gateway";
import { ModelInferRequestSchema } from "@/proto/inference/generated/inference_pb";
import { startTestGateway } from "@/tests/support/gateway";
import { type FakeBoard, serve, standardModels, startFakeBoard } from "./fake-board";

// gRPC below its messages, by bare HTTP/2: what no library would send.

let board: FakeBoard;
let gateway: Gateway;
let session: ClientHttp2Session;
let gate = Promise.resolve();
let runs = 0;

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
  gateway = await startTestGateway(endpoints, { maxBodyBytes: 1024 * 1024 });
  session = connect(`http://127.0.0.1:${gateway.grpcPort}`);
});
afterAll(async () => {
  session.close();
  await gateway.close();
  await board.close();
});

const service = "/inference.GRPCInferenceService";
const live = `${service}/ServerLive`;
const empty = Buffer.from([0, 0, 0, 0, 0]);

function framed(message: Uint8Array): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

const inference = framed(
  toBinary(
    ModelInferRequestSchema,
    create(ModelInferRequestSchema, {
      modelName: "matrix",
      inputs: [{ name: "x", datatype: "FP32", shape: [1n, 1n] }],
      rawInputContents: [new Uint8Array(4)],
    }),
  ),
);

interface Told {
  readonly http: number;
  readonly allow: string | undefined;
  readonly status: string | undefined;
  readonly message: string;
  readonly body: Buffer;
}

function send(path: string, body: Buffer, headers: OutgoingHttpHeaders = {}): Promise<Told> {
  return new Promise((resolve) => {
    const stream = session.request({
      ":method": "POST",
      ":path": path,
      "content-type": "application/grpc",
      te: "trailers",
      ...headers,
    });
    let http = 0;
    let allow: string | undefined;
    let status: string | undefined;
    let message = "";
    const chunks: Buffer[] = [];
    const note = (seen: Record<string, unknown>): void => {
      if (seen["grpc-status"] === undefined) return;
      status = String(seen["grpc-status"]);
      message = decodeURIComponent(String(seen["grpc-message"] ?? ""));
    };
    stream.on("response", (seen) => {
      http = Number(seen[":status"]);
      allow = seen["allow"];
      note(seen);
    });
    stream.on("trailers", note);
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("error", () => {});
    stream.on("close", () =>
      resolve({ http, allow, status, message, body: Buffer.concat(chunks) }),
    );
    stream.end(body);
  });
}

describe("what is no call", () => {
  it.each([
    ["another method", live, empty, { ":method": "GET" }, { http: 405, allow: "POST" }],
    ["another content type", live, empty, { "content-type": "text/plain" }, { http: 415 }],
    ["an unknown path", "/nobody/Knows", empty, {}, { http: 200, status: "12" }],
    ["a path without a slash", "ServerLive", empty, {}, { http: 200, status: "12" }],
    ["no message", live, Buffer.alloc(0), {}, { status: "3" }],
    ["half a prefix", live, empty.subarray(0, 3), {}, { status: "3" }],
    ["half a message", live, Buffer.from([0, 0, 0, 0, 9, 1]), {}, { status: "3" }],
    ["two messages", live, Buffer.concat([empty, empty]), {}, { status: "3" }],
    ["a wrong flag", live, Buffer.from([9, 0, 0, 0, 0]), {}, { status: "3" }],
    ["a message of 4 GiB", live, Buffer.from([0, 255, 255, 255, 255]), {}, { status: "8" }],
    [
      "one that is packed without a word",
      live,
      Buffer.from([1, 0, 0, 0, 1, 6]),
      {},
      { status: "3" },
    ],
    ["an unknown packing", live, empty, { "grpc-encoding": "br" }, { status: "12" }],
  ])("%s is refused, and the connection stays", async (_, path, body, headers, expected) => {
    const told = await send(path, body as Buffer, headers);
    expect(told).toMatchObject(expected);
    expect((await send(live, empty)).status).toBe("0");
  });

  it("texts beyond ASCII arrive whole", async () => {
    const bad = framed(
      toBinary(ModelInferRequestSchema, create(ModelInferRequestSchema, { modelName: "%é" })),
    );
    expect(await send(`${service}/ModelInfer`, bad)).toMatchObject({
      status: "5",
      message: expect.stringContaining("'%é'"),
    });
  });
});

describe("a call that ends before its answer", () => {
  const blocked = async () => {
    let open = (): void => {};
    gate = new Promise((resolve) => {
      open = resolve;
    });
    const before = runs;
    const busy = [1, 2].map(() => send(`${service}/ModelInfer`, inference));
    await expect.poll(() => runs).toBe(before + 2);
    return { open, busy, before };
  };

  it("63 at its deadline is told so and never runs", async () => {
    const { open, busy, before } = await blocked();
    const late = await send(`${service}/ModelInfer`, inference, { "grpc-timeout": "30m" });
    expect(late.status).toBe("4");
    open();
    for (const { status } of await Promise.all(busy)) expect(status).toBe("0");
    expect(runs).toBe(before + 2);
  });

  it("87 by its caller's leave never runs", async () => {
    const { open, busy, before } = await blocked();
    const stream = session.request({
      ":method": "POST",
      ":path": `${service}/ModelInfer`,
      "content-type": "application/grpc",
      te: "trailers",
    });
    stream.on("error", () => {});
    stream.end(inference);
    await new Promise((resolve) => setTimeout(resolve, 50));
    stream.close(constants.NGHTTP2_CANCEL);
    await new Promise((resolve) => setTimeout(resolve, 50));
    open();
    for (const { status } of await Promise.all(busy)) expect(status).toBe("0");
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(runs).toBe(before + 2);
  });
});
