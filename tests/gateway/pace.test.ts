import { create, toBinary } from "@bufbuild/protobuf";
import { Client, credentials } from "@grpc/grpc-js";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { RouteEndpoint } from "@/domain/routes";
import type { Gateway } from "@/gateway/gateway";
import { type Grant, portalAskerHeader } from "@/lib/server/auth";
import { ModelInferRequestSchema } from "@/proto/inference/generated/inference_pb";
import { callAt } from "@/tests/support/call";
import { startTestGateway } from "@/tests/support/gateway";
import { callGrpc } from "@/tests/support/grpc-call";
import { closed, knownTokens, tokenOf } from "@/tests/support/tokens";
import { type FakeBoard, serve, standardModels, startFakeBoard } from "./fake-board";

// How often a token, a person and a project may ask, over every protocol alike.

let board: FakeBoard;
let gateway: Gateway;
let client: Client;

beforeEach(async () => {
  board = await startFakeBoard();
  // Time stands still: in time that passes a token may ask again.
  vi.spyOn(performance, "now").mockReturnValue(performance.now());
});
afterEach(async () => {
  vi.restoreAllMocks();
  client.close();
  await gateway.close();
  await board.close();
});

async function start({
  grants = {},
  limits = {},
  gateways = 1,
}: {
  readonly grants?: Readonly<Partial<Record<keyof typeof tokenOf, Partial<Grant>>>>;
  readonly limits?: Partial<RouteEndpoint>;
  readonly gateways?: number;
}): Promise<void> {
  const { tokens } = knownTokens();
  const endpoints = closed(standardModels().map((model) => serve(board, model))).map((each) => ({
    ...each,
    ...limits,
  }));
  gateway = await startTestGateway(endpoints, {
    load: async () => ({ endpoints, gateways }),
    access: {
      tokens: tokens && {
        ...tokens,
        async find(text) {
          const name = Object.entries(tokenOf).find(([, token]) => token === text)?.[0];
          const grant = await tokens.find(text);
          const given = grants[name as keyof typeof tokenOf];
          const endpointIds = grant?.kind === "link" ? ["id of single"] : null;
          return grant && { ...grant, endpointIds, ...given };
        },
      },
    },
  });
  client = new Client(`127.0.0.1:${gateway.grpcPort}`, credentials.createInsecure());
}

const tensor = { name: "x", shape: [1, 4], datatype: "FP32", data: [1, 2, 3, 4] };
const asking = (name: keyof typeof tokenOf) => ({
  headers: { authorization: `Bearer ${tokenOf[name]}` },
});
const v2 = (name: keyof typeof tokenOf, asker: Readonly<Record<string, string>> = {}) =>
  callAt(gateway.httpPort, "/v2/models/single/infer", {
    headers: { ...asking(name).headers, ...asker },
    body: JSON.stringify({ inputs: [tensor] }),
  });
const v1 = (name: keyof typeof tokenOf) =>
  callAt(gateway.httpPort, "/v1/models/single:predict", {
    ...asking(name),
    body: JSON.stringify({ instances: [tensor.data] }),
  });
const grpc = async (name: keyof typeof tokenOf, metadata: Readonly<Record<string, string>> = {}) =>
  await callGrpc(client, "/inference.GRPCInferenceService/ModelInfer", {
    message: toBinary(
      ModelInferRequestSchema,
      create(ModelInferRequestSchema, {
        modelName: "single",
        inputs: [
          {
            name: "x",
            datatype: "FP32",
            shape: [1n, 4n],
            contents: { fp32Contents: tensor.data },
          },
        ],
      }),
    ),
    token: tokenOf[name],
    metadata,
  });
const textOf = ({ json }: Awaited<ReturnType<typeof v2>>): string => String(json.error);

describe("a token that may ask twice a second", () => {
  it("does so over any protocol, and is told then whose limit it is", async () => {
    await start({ grants: { user: { requestsPerSecond: 2 } } });
    expect((await v2("user")).status).toBe(200);
    expect((await v1("user")).status).toBe(200);
    const third = await v2("user");
    expect([third.status, third.headers["retry-after"]]).toEqual([429, "1"]);
    expect(textOf(third)).toContain("this token asks more than 2 times a second here; slow down");
    expect(await grpc("user")).toMatchObject({ reason: "RATE_LIMITED", status: 8 });
    expect((await v1("user")).status).toBe(429);
    // Others are not slower for it, and what is no inference is not counted.
    expect((await v2("admin")).status).toBe(200);
    expect((await callAt(gateway.httpPort, "/v2/models/single", asking("user"))).status).toBe(200);
  });

  it("shares that among gateways", async () => {
    await start({ grants: { user: { requestsPerSecond: 3 } }, gateways: 3 });
    expect([(await v2("user")).status, (await v2("user")).status]).toEqual([200, 429]);
  });

  it("is called a link where it is one", async () => {
    await start({ grants: { guest: { requestsPerSecond: 1 } } });
    await v2("guest");
    expect(textOf(await v2("guest"))).toContain("this link asks more than 1 times");
  });
});

describe("a person of a project", () => {
  it("has no more than each may, with all their tokens together; others go on", async () => {
    const ada = { userId: "ada" };
    await start({
      grants: { user: ada, admin: ada, guest: ada },
      limits: { requestsPerSecondEach: 1, requestsPerSecond: 3 },
    });
    expect((await v2("user")).status).toBe(200);
    const second = await v2("admin");
    expect([second.status, textOf(second)]).toEqual([
      429,
      expect.stringContaining("each person and each token of this project may ask no more than 1"),
    ]);
    // A link that she made is not hers to ask by.
    expect((await v2("guest")).status).toBe(200);
  });

  it("is counted where the portal asks for them, and nobody else can say so", async () => {
    await start({
      grants: { admin: { kind: "portal", userId: null }, user: { userId: "ada" } },
      limits: { requestsPerSecondEach: 1 },
    });
    const ada = { [portalAskerHeader]: "ada" };
    const ben = { [portalAskerHeader]: "ben" };
    expect((await v2("admin", ada)).status).toBe(200);
    expect((await v2("admin", ada)).status).toBe(429);
    expect((await v2("user")).status).toBe(429);
    // Whoever is no portal asks for themselves, whatever they say.
    expect((await v2("user", ben)).status).toBe(429);
    expect(Buffer.isBuffer(await grpc("admin", ben))).toBe(true);
    expect(await grpc("admin", ben)).toMatchObject({ reason: "RATE_LIMITED", status: 8 });
  });

  it("takes nothing of the project's by what is refused", async () => {
    await start({ limits: { requestsPerSecondEach: 1, requestsPerSecond: 2 } });
    for (let n = 0; n < 10; n++) await v2("user");
    expect((await v2("admin")).status).toBe(200);
    const beyond = await v2("guest");
    expect([beyond.status, textOf(beyond)]).toEqual([
      429,
      expect.stringContaining("the project of this model is asked more than 2 times"),
    ]);
  });
});
