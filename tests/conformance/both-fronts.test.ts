import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { Client, credentials } from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Gateway } from "@/gateway/gateway";
import { errorCodes, type Reason, reasons } from "@/lib/common/errors";
import {
  ModelInferRequestSchema,
  ModelInferResponseSchema,
} from "@/proto/inference/generated/inference_pb";
import { callAt } from "@/tests/support/call";
import { startTestGateway } from "@/tests/support/gateway";
import { callGrpc, type Refused } from "@/tests/support/grpc-call";
import { closed, knownTokens, tokenOf } from "@/tests/support/tokens";
import { type FakeBoard, serve, standardModels, startFakeBoard } from "../gateway/fake-board";

// One table of requests, each sent over HTTP and over gRPC: both fronts answer the same, or refuse for the same reason.

let board: FakeBoard;
let gateway: Gateway;
let client: Client;

beforeAll(async () => {
  board = await startFakeBoard();
  const endpoints = closed(standardModels().map((model) => serve(board, model)));
  gateway = await startTestGateway(endpoints, { access: { tokens: knownTokens().tokens } });
  client = new Client(`127.0.0.1:${gateway.grpcPort}`, credentials.createInsecure());
});
afterAll(async () => {
  client.close();
  await gateway.close();
  await board.close();
});

type Contents = "fp32Contents" | "intContents" | "int64Contents" | "uintContents" | "boolContents";

interface Input {
  readonly name: string;
  readonly shape: readonly number[];
  readonly datatype: string;
  readonly data: readonly (number | boolean)[];
}

interface Request {
  readonly model: string;
  readonly version?: string;
  readonly id?: string;
  readonly inputs: readonly Input[];
  readonly outputs?: readonly { readonly name: string }[];
}

interface Answered {
  readonly id: string;
  readonly model: string;
  readonly version: string;
  readonly outputs: readonly {
    readonly name: string;
    readonly datatype: string;
    readonly shape: readonly number[];
    readonly bytes: string;
  }[];
}

type Outcome = Answered | Refused;

/** The field of the message for each datatype, and how its values lie in bytes. */
const datatypes: Readonly<
  Record<
    string,
    { readonly contents: Contents; readonly bytes: (data: readonly number[]) => Uint8Array }
  >
> = {
  FP32: { contents: "fp32Contents", bytes: (data) => bytesOf(Float32Array.from(data)) },
  INT32: { contents: "intContents", bytes: (data) => bytesOf(Int32Array.from(data)) },
  INT64: { contents: "int64Contents", bytes: (data) => bytesOf(BigInt64Array.from(data, BigInt)) },
  UINT8: { contents: "uintContents", bytes: (data) => Uint8Array.from(data) },
  BOOL: { contents: "boolContents", bytes: (data) => Uint8Array.from(data) },
};

function bytesOf({ buffer }: { readonly buffer: ArrayBuffer }): Uint8Array {
  return new Uint8Array(buffer);
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

async function overHttp(
  { model, version, ...body }: Request,
  token: string | null,
): Promise<Outcome> {
  const place = version === undefined ? model : `${model}/versions/${version}`;
  const answer = await callAt(gateway.httpPort, `/v2/models/${place}/infer`, {
    body: JSON.stringify(body),
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
  });
  if (answer.status !== 200) return { reason: answer.json.code, status: answer.status };
  const { id = "", model_name, model_version, outputs } = answer.json;
  return {
    id,
    model: model_name,
    version: model_version,
    outputs: outputs.map(({ name, datatype, shape, data }: Input): Answered["outputs"][number] => ({
      name,
      datatype,
      shape,
      bytes: hexOf(datatypes[datatype]?.bytes(data.map(Number)) ?? new Uint8Array()),
    })),
  };
}

async function overGrpc(
  { model, version = "", id = "", inputs, outputs = [] }: Request,
  token: string | null,
  raw: boolean,
): Promise<Outcome> {
  const init: MessageInitShape<typeof ModelInferRequestSchema> = {
    modelName: model,
    modelVersion: version,
    id,
    inputs: inputs.map(({ name, shape, datatype, data }) => ({
      name,
      datatype,
      shape: shape.map(BigInt),
      ...(raw ? {} : { contents: contentsOf(datatype, data) }),
    })),
    outputs: outputs.map(({ name }) => ({ name })),
    rawInputContents: raw
      ? inputs.map(
          ({ datatype, data }) => datatypes[datatype]?.bytes(data.map(Number)) ?? new Uint8Array(),
        )
      : [],
  };
  const bytes = toBinary(ModelInferRequestSchema, create(ModelInferRequestSchema, init));
  const path = "/inference.GRPCInferenceService/ModelInfer";
  const told = await callGrpc(client, path, { message: bytes, token });
  if (!Buffer.isBuffer(told)) return told;
  const message = fromBinary(ModelInferResponseSchema, told);
  return {
    id: message.id,
    model: message.modelName,
    version: message.modelVersion,
    outputs: message.outputs.map(({ name, datatype, shape }, index) => ({
      name,
      datatype,
      shape: shape.map(Number),
      bytes: hexOf(message.rawOutputContents[index] ?? new Uint8Array()),
    })),
  };
}

function contentsOf(datatype: string, data: readonly (number | boolean)[]) {
  const field = datatypes[datatype]?.contents ?? "fp32Contents";
  if (field === "int64Contents") return { int64Contents: data.map((value) => BigInt(value)) };
  if (field === "boolContents") return { boolContents: data.map(Boolean) };
  return { [field]: data.map(Number) };
}

const input = (
  name: string,
  shape: readonly number[],
  data: Input["data"],
  datatype = "FP32",
): Input => ({
  name,
  shape,
  datatype,
  data,
});
const x = input("x", [1, 4], [1, 2, 3, 4]);
const a = input("a", [2, 4], [1, 2, 3, 4, 5, 6, 7, 8]);
const b = { ...a, name: "b" };

const answered: readonly { readonly what: string; readonly request: Request }[] = [
  { what: "one row", request: { model: "single", inputs: [x] } },
  { what: "the caller's id", request: { model: "single", id: "a-4", inputs: [x] } },
  { what: "two inputs in any order", request: { model: "add", inputs: [b, a] } },
  { what: "an older version", request: { model: "add", version: "1", inputs: [a, b] } },
  {
    what: "one of two outputs",
    request: { model: "add", inputs: [a, b], outputs: [{ name: "difference" }] },
  },
  {
    what: "outputs in the order asked for",
    request: { model: "add", inputs: [a, b], outputs: [{ name: "difference" }, { name: "sum" }] },
  },
  { what: "a scalar", request: { model: "scalar", inputs: [input("x", [], [2.5])] } },
  { what: "no elements at all", request: { model: "echo_fp32", inputs: [input("x", [0], [])] } },
  {
    what: "integers of 32 bits",
    request: { model: "echo_int32", inputs: [input("x", [2], [-7, 7], "INT32")] },
  },
  {
    what: "integers of 64 bits",
    request: { model: "echo_int64", inputs: [input("x", [2], [-7, 2 ** 40], "INT64")] },
  },
  {
    what: "bytes",
    request: { model: "echo_uint8", inputs: [input("x", [3], [0, 128, 255], "UINT8")] },
  },
  {
    what: "truth values",
    request: { model: "echo_bool", inputs: [input("x", [2], [true, false], "BOOL")] },
  },
];

describe("both fronts answer the same", () => {
  it.each(answered)("$what", async ({ request }) => {
    const [http, typed, raw] = await Promise.all([
      overHttp(request, tokenOf.user),
      overGrpc(request, tokenOf.user, false),
      overGrpc(request, tokenOf.user, true),
    ]);
    expect(http).toMatchObject({ model: request.model, id: request.id ?? expect.any(String) });
    const comparable = (outcome: Outcome) => ({ ...outcome, id: request.id ?? "" });
    expect(comparable(typed)).toEqual(comparable(http));
    expect(comparable(raw)).toEqual(comparable(http));
  });
});

const refused: readonly {
  readonly what: string;
  readonly request: Request;
  readonly reason: Reason;
  readonly token?: string | null;
}[] = [
  {
    what: "no token",
    request: { model: "single", inputs: [x] },
    token: null,
    reason: "UNAUTHENTICATED",
  },
  {
    what: "an unknown token",
    request: { model: "single", inputs: [x] },
    token: tokenOf.stranger,
    reason: "UNAUTHENTICATED",
  },
  {
    what: "a model that the token may not know of",
    request: { model: "matrix", inputs: [x] },
    reason: "MODEL_NOT_FOUND",
  },
  {
    what: "a model that is none",
    request: { model: "nobody", inputs: [x] },
    reason: "MODEL_NOT_FOUND",
  },
  {
    what: "a version that is none",
    request: { model: "add", version: "9", inputs: [a, b] },
    reason: "MODEL_NOT_FOUND",
  },
  {
    what: "a model that is loading",
    request: { model: "loading", inputs: [x] },
    reason: "MODEL_NOT_READY",
  },
  { what: "no input", request: { model: "single", inputs: [] }, reason: "INFER_INVALID" },
  { what: "an input too few", request: { model: "add", inputs: [a] }, reason: "INFER_INVALID" },
  {
    what: "an input that is none",
    request: { model: "single", inputs: [{ ...x, name: "z" }] },
    reason: "INFER_INVALID",
  },
  { what: "an input twice", request: { model: "single", inputs: [x, x] }, reason: "INFER_INVALID" },
  {
    what: "another datatype",
    request: { model: "single", inputs: [input("x", [1, 4], [1, 2, 3, 4], "INT32")] },
    reason: "INFER_INVALID",
  },
  {
    what: "another width",
    request: { model: "single", inputs: [input("x", [1, 3], [1, 2, 3])] },
    reason: "INFER_INVALID",
  },
  {
    what: "fewer elements than the shape says",
    request: { model: "single", inputs: [input("x", [1, 4], [1, 2, 3])] },
    reason: "INFER_INVALID",
  },
  {
    what: "a negative dimension",
    request: { model: "echo_fp32", inputs: [input("x", [-1], [1])] },
    reason: "INFER_INVALID",
  },
  {
    what: "batches of unlike size",
    request: { model: "add", inputs: [a, input("b", [1, 4], [1, 2, 3, 4])] },
    reason: "INFER_INVALID",
  },
  {
    what: "an output that is none",
    request: { model: "single", inputs: [x], outputs: [{ name: "z" }] },
    reason: "INFER_INVALID",
  },
];

describe("both fronts refuse for the same reason", () => {
  it.each(refused)("$what: $reason", async ({ request, token = tokenOf.user, reason }) => {
    const entry: { readonly code: keyof typeof errorCodes; readonly http?: number } =
      reasons[reason];
    const { grpc, http } = errorCodes[entry.code];
    expect(await overHttp(request, token)).toEqual({ reason, status: entry.http ?? http });
    expect(await overGrpc(request, token, false)).toEqual({ reason, status: grpc });
  });
});
