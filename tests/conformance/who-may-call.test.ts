import { create, toBinary } from "@bufbuild/protobuf";
import { Client, credentials } from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Gateway } from "@/gateway/gateway";
import { errorCodes, reasons } from "@/lib/common/errors";
import { file_inference } from "@/proto/inference";
import { callAt } from "@/tests/support/call";
import { startTestGateway } from "@/tests/support/gateway";
import { callGrpc } from "@/tests/support/grpc-call";
import { type CallerName, closed, knownTokens, tokenOf } from "@/tests/support/tokens";
import { type FakeBoard, serve, standardModels, startFakeBoard } from "../gateway/fake-board";

// One table of what can be asked, by whom: both fronts let the same callers do the same.

const [service] = file_inference.services;
let board: FakeBoard;
let gateway: Gateway;
let client: Client;

beforeAll(async () => {
  board = await startFakeBoard();
  const endpoints = closed(standardModels().map((model) => serve(board, model)));
  gateway = await startTestGateway(endpoints, {
    control: { setPaused: async () => true },
    access: { tokens: knownTokens().tokens },
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

const callers = [null, "stranger", "user", "admin"] as const satisfies CallerName[];
const everybody = ["OK", "OK", "OK", "OK"] as const;
const withToken = ["UNAUTHENTICATED", "UNAUTHENTICATED", "OK", "OK"] as const;
const hidden = [
  "UNAUTHENTICATED",
  "UNAUTHENTICATED",
  "MODEL_NOT_FOUND",
  "MODEL_NOT_FOUND",
] as const;
const whoAsks = ["OK", "UNAUTHENTICATED", "OK", "OK"] as const;
const administrators = ["UNAUTHENTICATED", "UNAUTHENTICATED", "FORBIDDEN", "OK"] as const;

/** The same of a model that the user may use, and of one that the user may not know of. */
const ofModels = (
  rpc: string,
  single: Question["told"],
  about: (name: string) => Pick<Question, "http"> & { readonly message: Question["grpc"][1] },
): [what: string, question: Question][] =>
  Object.entries({ single, matrix: hidden }).map(([name, told]) => {
    const { http, message } = about(name);
    return [`${rpc} of ${name}`, { http, grpc: [rpc, message], told }];
  });
const ofModel = (rpc: string, action: string) =>
  ofModels(rpc, withToken, (name) => ({
    http: ["GET", `/v2/models/${name}${action}`],
    message: { name },
  }));
const control = (rpc: string, action: string) =>
  ofModels(rpc, administrators, (name) => ({
    http: ["POST", `/v2/repository/models/${name}/${action}`],
    message: { modelName: name },
  }));

const questions = new Map<string, Question>([
  ["ServerLive", { http: ["GET", "/v2/health/live"], grpc: ["ServerLive", {}], told: everybody }],
  [
    "ServerReady",
    { http: ["GET", "/v2/health/ready"], grpc: ["ServerReady", {}], told: everybody },
  ],
  ["ServerMetadata", { http: ["GET", "/v2"], grpc: ["ServerMetadata", {}], told: whoAsks }],
  [
    "RepositoryIndex",
    { http: ["POST", "/v2/repository/index"], grpc: ["RepositoryIndex", {}], told: whoAsks },
  ],
  [
    "ModelStatistics of all",
    { http: ["GET", "/v2/models/stats"], grpc: ["ModelStatistics", {}], told: whoAsks },
  ],
  ...ofModel("ModelReady", "/ready"),
  ...ofModel("ModelMetadata", ""),
  ...ofModel("ModelConfig", "/config"),
  ...ofModel("ModelStatistics", "/stats"),
  ...control("RepositoryModelLoad", "load"),
  ...control("RepositoryModelUnload", "unload"),
]);

async function overHttp({ http: [method, path] }: Question, caller: CallerName) {
  const { status, json } = await callAt(gateway.httpPort, path, {
    method,
    ...(method === "POST" ? { body: "{}" } : {}),
    headers: caller === null ? {} : { authorization: `Bearer ${tokenOf[caller]}` },
  });
  return status === 200 ? "OK" : { reason: json.code, status };
}

async function overGrpc({ grpc: [rpc, message] }: Question, caller: CallerName) {
  const schema = service?.methods.find(({ name }) => name === rpc)?.input;
  if (!service || !schema) throw new Error(`There is no method ${rpc}.`);
  const bytes = toBinary(schema, create(schema, message));
  const token = caller === null ? null : tokenOf[caller];
  const told = await callGrpc(client, `/${service.typeName}/${rpc}`, { message: bytes, token });
  return Buffer.isBuffer(told) ? "OK" : told;
}

/** Calls of extensions that Boardwalk does not speak: shared memory, traces and settings of logs. */
const unanswered: ReadonlySet<string> = new Set(
  service?.methods.map(({ name }) => name).filter((name) => /SharedMemory|Setting/.test(name)),
);

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
