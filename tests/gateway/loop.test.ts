import { create, toBinary } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { Client, credentials, Metadata } from "@grpc/grpc-js";
import { Client as HttpClient } from "undici";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Gateway } from "@/gateway/gateway";
import { ModelInferRequestSchema } from "@/proto/inference/generated/inference_pb";
import { bundle } from "@/scripts/bundle.mjs";
import { startTestGateway } from "@/tests/support/gateway";
import { type FakeBoard, serve, standardModels, startFakeBoard } from "./fake-board";

// Bodies that take long to read: they are refused before it, or read where they hold nobody up.

const mebibyte = 2 ** 20;
let board: FakeBoard;
let gateway: Gateway;
let grpc: Client;

beforeAll(async () => {
  process.env["BOARDWALK_BUNDLES"] ??= await bundle();
  board = await startFakeBoard();
  gateway = await startTestGateway(standardModels().map((model) => serve(board, model)));
  grpc = new Client(`127.0.0.1:${gateway.grpcPort}`, credentials.createInsecure(), {
    "grpc.max_receive_message_length": -1,
  });
  const ready = `http://127.0.0.1:${gateway.httpPort}/v2/models/matrix/ready`;
  await vi.waitFor(async () => expect((await fetch(ready)).status).toBe(200), { timeout: 20_000 });
});
afterAll(async () => {
  grpc.close();
  await gateway.close();
  await board.close();
});

/** Sends a message; its status and what was said. */
function send(bytes: Uint8Array): Promise<{ code: number; details: string; answer: Buffer }> {
  return new Promise((resolve) => {
    grpc.makeUnaryRequest(
      "/inference.GRPCInferenceService/ModelInfer",
      (value: Uint8Array) => Buffer.from(value),
      (value: Buffer) => value,
      bytes,
      new Metadata(),
      { deadline: Date.now() + 60_000 },
      (error, answer) =>
        resolve({
          code: error?.code ?? 0,
          details: error?.details ?? "",
          answer: answer ?? Buffer.alloc(0),
        }),
    );
  });
}

/** A `ModelInferRequest` of one input whose contents are the given bytes. */
function withContents(model: string, datatype: string, count: number, contents: Uint8Array) {
  const head = toBinary(
    ModelInferRequestSchema,
    create(ModelInferRequestSchema, { modelName: model }),
  );
  const writer = new BinaryWriter().raw(head).tag(5, WireType.LengthDelimited).fork();
  writer.tag(1, WireType.LengthDelimited).string("x");
  writer.tag(2, WireType.LengthDelimited).string(datatype);
  writer.tag(3, WireType.LengthDelimited).fork().int64(count).join();
  return writer.tag(5, WireType.LengthDelimited).bytes(contents).join().finish();
}

/** Varints of one byte each, as one packed field. */
function packed(field: number, bytes: number): Uint8Array {
  return new BinaryWriter()
    .tag(field, WireType.LengthDelimited)
    .bytes(new Uint8Array(bytes).fill(1))
    .finish();
}

async function post(path: string, body: string | Uint8Array) {
  const answer = await fetch(`http://127.0.0.1:${gateway.httpPort}${path}`, {
    method: "POST",
    body: body as BodyInit,
  });
  return { status: answer.status, text: await answer.text() };
}

/** What comes of `attack`, and how many inferences an honest client got answered meanwhile, each right. */
async function beside<T>(attack: () => Promise<T>): Promise<{ outcome: T; answered: number }> {
  const client = new HttpClient(`http://127.0.0.1:${gateway.httpPort}`);
  const input = { name: "x", shape: [1, 2], datatype: "FP32", data: [1, 2] };
  let over = false;
  const attacking = attack().finally(() => {
    over = true;
  });
  let answered = 0;
  while (!over) {
    const { statusCode, body } = await client.request({
      method: "POST",
      path: "/v2/models/matrix/infer",
      body: JSON.stringify({ inputs: [input] }),
    });
    expect([statusCode, await body.text()]).toEqual([200, expect.stringContaining("[1,2]")]);
    answered++;
  }
  await client.close();
  return { outcome: await attacking, answered };
}

describe("a message of typed contents", () => {
  it("with more elements than are taken is refused unread", async () => {
    const many = 60 * mebibyte;
    const numbers = withContents("echo_int64", "INT64", many, packed(3, many));
    const { outcome } = await beside(() => send(numbers));
    expect(outcome).toMatchObject({ code: 8, details: expect.stringContaining("4194304") });
    const empty = new Uint8Array(60 * mebibyte);
    for (let at = 0; at < empty.length; at += 2) empty[at] = (8 << 3) | WireType.LengthDelimited;
    const strings = withContents("echo_bytes", "BYTES", empty.length / 2, empty);
    const refused = await beside(() => send(strings));
    expect(refused.outcome).toMatchObject({ code: 8, details: expect.stringContaining("262144") });
  });

  it("with more elements than its shape says is read no further", async () => {
    const numbers = withContents("echo_int64", "INT64", 4, packed(3, 30 * mebibyte));
    const { outcome } = await beside(() => send(numbers));
    expect(outcome).toMatchObject({ code: 3, details: expect.stringContaining("more than the 4") });
  });

  it("with a shape that is not the model's is not read", async () => {
    const floats = new BinaryWriter()
      .tag(6, WireType.LengthDelimited)
      .bytes(new Uint8Array(4 * mebibyte))
      .finish();
    const wrong = withContents("single", "FP32", mebibyte, floats);
    expect(await send(wrong)).toMatchObject({
      code: 3,
      details: expect.stringContaining("unexpected shape"),
    });
  });

  it("with as many as are taken is read beside the others' work", async () => {
    const count = 4 * mebibyte;
    const numbers = withContents("echo_int64", "INT64", count, packed(3, count));
    const { outcome, answered } = await beside(() => send(numbers));
    expect(outcome.code).toBe(0);
    expect(outcome.answer.length).toBeGreaterThan(8 * count);
    expect(answered).toBeGreaterThan(2);
    const strings = new Uint8Array(2 * 262_144);
    for (let at = 0; at < strings.length; at += 2) strings[at] = 0x42;
    const many = withContents("echo_bytes", "BYTES", strings.length / 2, strings);
    expect((await beside(() => send(many))).outcome.code).toBe(0);
  });

  it("of nothing but fields that nobody knows is refused soon", async () => {
    const fields = new Uint8Array(60 * mebibyte);
    for (let at = 0; at < fields.length; at += 2) fields[at] = 15 << 3;
    expect((await beside(() => send(fields))).outcome).toMatchObject({
      code: 3,
      details: expect.stringContaining("fields"),
    });
  });
});

describe("JSON", () => {
  const json = (datatype: string, count: number, data: string) =>
    `{"inputs":[{"name":"x","shape":[${count}],"datatype":"${datatype}","data":[${data}]}]}`;

  it.each([
    ["a number of a million digits", "INT64", 1, `1${"0".repeat(1_000_000)}1`, "longer than 4096"],
    ["as many zeros before the point", "FP64", 1, `0.${"0".repeat(1_000_000)}1`, "longer than"],
    ["more elements than are taken", "UINT8", 5_000_000, "1", "4194304"],
    ["more strings than are taken", "BYTES", 300_000, '""', "262144"],
  ])("with %s is refused", async (_, datatype, count, data, said) => {
    const body = json(datatype, count, data);
    const { outcome } = await beside(() =>
      post(`/v2/models/echo_${datatype.toLowerCase()}/infer`, body),
    );
    expect([413, 400]).toContain(outcome.status);
    expect(outcome.text).toContain(said);
  });

  it("of many numbers with exponents is read beside the others' work", async () => {
    const count = 400_000;
    const body = json("INT64", count, Array(count).fill("1e3").join());
    const { outcome, answered } = await beside(() => post("/v2/models/echo_int64/infer", body));
    expect(outcome.status).toBe(200);
    expect(outcome.text.endsWith("1000,1000]}]}")).toBe(true);
    expect(answered).toBeGreaterThan(2);
  });

  it("of V1 is read beside the others' work, row by row", async () => {
    const rows = Array(150_000).fill('{"x":1}').join();
    const { outcome } = await beside(() =>
      post("/v1/models/echo_fp32:predict", `{"instances":[${rows}]}`),
    );
    expect(outcome.status).toBe(200);
    expect(JSON.parse(outcome.text).predictions).toHaveLength(150_000);
  });

  it("that is nested deeper than a tensor is refused, however large its inside", async () => {
    const inside = Array(500_000).fill("1").join();
    const body = `{"inputs":${"[".repeat(60)}${inside}${"]".repeat(60)}}`;
    const { outcome } = await beside(() => post("/v1/models/echo_fp32:predict", body));
    expect(outcome).toMatchObject({ status: 400, text: expect.stringContaining("nested deeper") });
  });

  it("holds strings both ways, as they were", async () => {
    const texts = Array.from({ length: 60_000 }, (_, index) => `"é${index}"`).join();
    const { outcome } = await beside(() =>
      post("/v2/models/echo_bytes/infer", json("BYTES", 60_000, texts)),
    );
    expect(outcome.status).toBe(200);
    expect(outcome.text).toContain(`"data":[${texts}]`);
  });
});
