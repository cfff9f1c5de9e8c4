import { create, toBinary } from "@bufbuild/protobuf";
import { Client, credentials, Metadata, type ServiceError } from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Gateway, startGateway } from "@/gateway/gateway";
import { errorCodes, reasons } from "@/lib/common/errors";
import { file_inference } from "@/proto/inference";
import { callAt } from "@/tests/support/call";
import { type FakeBoard, serve, standardModels, startFakeBoard } from "../gateway/fake-board";

// One table of what can be asked, by whom: both fronts let the same callers do the same.

const [service] = file_inference.services;
let board: FakeBoard;
let gateway: Gateway;
let client: Client;

beforeAll(async () => {
  board = await startFakeBoard();
  const endpoints = standardModels().map((model) => serve(board, model));
  gateway = await startGateway({
    load: async () => ({ endpoints }),
    listen: () => ({ close: async () => {} }),
    control: { setPaused: async () => true },
    access: {
      async verify(token) {
        if (token === "admin") return { id: "admin", may: () => true };
        if (token !== "user") return null;
        return { id: "user", may: (action, model) => action === "use" && model !== "matrix" };
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

type Outcome = "OK" | "UNAUTHENTICATED" | "FORBIDDEN" | "MODEL_NOT_FOUND";

interface Question {
  readonly http: readonly ["GET" | "POST", string];
  readonly grpc: readonly [rpc: string, message: Readonly<Record<string, unknown>>];
  /** What a caller without a token, one with an unknown token, a user and an administrator are told. */
  readonly told: readonly [Outcome, Outcome, Outcome, Outcome];
}

const callers = [null, "stranger", "user", "admin"] as const;
const everybody = ["OK", "OK", "OK", "OK"] as const;
const withToken = ["UNAUTHENTICATED", "UNAUTHENTICATED", "OK", "OK"] as const;
const hidden = ["UNAUTHENTICATED", "UNAUTHENTICATED", "MODEL_NOT_FOUND", "OK"] as const;
const administrators = ["UNAUTHENTICATED", "UNAUTHENTICATED", "FORBIDDEN", "OK"] as const;

const ofModel = (
  rpc: string,
  action: string,
): readonly (readonly [what: string, question: Question])[] =>
  (
    [
      ["single", withToken],
      ["matrix", hidden],
    ] as const
  ).map(([name, told]) => [
    `${rpc} of ${name}`,
    { http: ["GET", `/v2/models/${name}${action}`], grpc: [rpc, { name }], told },
  ]);
const control = (
  rpc: string,
  action: string,
): readonly (readonly [what: string, question: Question])[] =>
  (
    [
      ["single", administrators],
      ["matrix", hidden],
    ] as const
  ).map(([name, told]) => [
    `${rpc} of ${name}`,
    {
      http: ["POST", `/v2/repository/models/${name}/${action}`],
      grpc: [rpc, { modelName: name }],
      told,
    },
  ]);

const questions = new Map<string, Question>([
  ["ServerLive", { http: ["GET", "/v2/health/live"], grpc: ["ServerLive", {}], told: everybody }],
  [
    "ServerReady",
    { http: ["GET", "/v2/health/ready"], grpc: ["ServerReady", {}], told: everybody },
  ],
  ["ServerMetadata", { http: ["GET", "/v2"], grpc: ["ServerMetadata", {}], told: withToken }],
  [
    "RepositoryIndex",
    { http: ["POST", "/v2/repository/index"], grpc: ["RepositoryIndex", {}], told: withToken },
  ],
  [
    "ModelStatistics of all",
    { http: ["GET", "/v2/models/stats"], grpc: ["ModelStatistics", {}], told: withToken },
  ],
  ...ofModel("ModelReady", "/ready"),
  ...ofModel("ModelMetadata", ""),
  ...ofModel("ModelConfig", "/config"),
  ...ofModel("ModelStatistics", "/stats"),
  ...control("RepositoryModelLoad", "load"),
  ...control("RepositoryModelUnload", "unload"),
]);

async function overHttp({ http: [method, path] }: Question, token: string | null) {
  const { status, json } = await callAt(gateway.httpPort, path, {
    method,
    ...(method === "POST" ? { body: "{}" } : {}),
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
  });
  return status === 200 ? "OK" : { reason: json.code, status };
}

function overGrpc({ grpc: [rpc, message] }: Question, token: string | null) {
  const schema = service?.methods.find(({ name }) => name === rpc)?.input;
  if (!service || !schema) throw new Error(`There is no method ${rpc}.`);
  const metadata = new Metadata();
  if (token !== null) metadata.set("authorization", `Bearer ${token}`);
  return new Promise((resolve) => {
    client.makeUnaryRequest(
      `/${service.typeName}/${rpc}`,
      (value: Uint8Array) => Buffer.from(value),
      (value: Buffer) => value,
      toBinary(schema, create(schema, message)),
      metadata,
      { deadline: Date.now() + 10_000 },
      (error: ServiceError | null) =>
        resolve(
          error
            ? { reason: String(error.metadata.get("boardwalk-code")[0]), status: error.code }
            : "OK",
        ),
    );
  });
}

describe("both fronts let the same callers ask", () => {
  it("of every method that one message answers, but the inference itself", () => {
    const asked = new Set([...questions.values()].map(({ grpc: [rpc] }) => rpc));
    const unary = service?.methods.filter(({ methodKind }) => methodKind === "unary") ?? [];
    const answered = unary.map(({ name }) => name).filter((name) => !unanswered.has(name));
    expect(answered.filter((name) => !asked.has(name))).toEqual(["ModelInfer"]);
  });

  it.each([...questions])("%s", async (_, question) => {
    for (const [index, token] of callers.entries()) {
      const told = question.told[index] ?? "OK";
      const [http, grpc] = [await overHttp(question, token), await overGrpc(question, token)];
      if (told === "OK") expect({ token, http, grpc }).toEqual({ token, http: "OK", grpc: "OK" });
      else {
        const codes = errorCodes[reasons[told].code];
        expect({ token, http, grpc }).toEqual({
          token,
          http: { reason: told, status: codes.http },
          grpc: { reason: told, status: codes.grpc },
        });
      }
    }
  });
});

/** Calls of extensions that Boardwalk does not speak: shared memory, traces and settings of logs. */
const unanswered: ReadonlySet<string> = new Set(
  service?.methods.map(({ name }) => name).filter((name) => /SharedMemory|Setting/.test(name)),
);
