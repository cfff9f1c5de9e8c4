import { create, toBinary } from "@bufbuild/protobuf";
import { Client, credentials } from "@grpc/grpc-js";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Gateway } from "@/gateway/gateway";
import { makeTokenText } from "@/lib/server/auth";
import { ModelMetadataRequestSchema } from "@/proto/inference/generated/inference_pb";
import { type Answer, callAt } from "@/tests/support/call";
import { startTestGateway } from "@/tests/support/gateway";
import { callGrpc } from "@/tests/support/grpc-call";
import { closed, knownTokens, tokenOf } from "@/tests/support/tokens";
import { type FakeBoard, serve, standardModels, startFakeBoard } from "./fake-board";

// Somebody shows tokens that nobody made, each once, from the address that good callers share.

const perSecond = 5;
const floodSize = 20_000;
const body = JSON.stringify({
  inputs: [{ name: "x", shape: [1, 4], datatype: "FP32", data: [1, 2, 3, 4] }],
});

let board: FakeBoard;
let gateway: Gateway;
let client: Client;
const { tokens, asked } = knownTokens();

beforeAll(async () => {
  board = await startFakeBoard();
  gateway = await startTestGateway(closed(standardModels().map((model) => serve(board, model))), {
    access: {
      tokens: tokens && {
        ...tokens,
        async find(text) {
          const grant = await tokens.find(text);
          return grant && text === tokenOf.user
            ? { ...grant, requestsPerSecond: perSecond }
            : grant;
        },
      },
    },
  });
  client = new Client(`127.0.0.1:${gateway.grpcPort}`, credentials.createInsecure());
});
afterAll(async () => {
  client.close();
  await gateway.close();
  await board.close();
});

const infer = (token: string) =>
  callAt(gateway.httpPort, "/v2/models/single/infer", {
    headers: { authorization: `Bearer ${token}` },
    body,
  });
const see = (token: string) =>
  callAt(gateway.httpPort, "/v2/models/add", { headers: { authorization: `Bearer ${token}` } });

/** Asks again and again until a flood is over. */
async function until(isOver: () => boolean, ask: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  while (!isOver()) {
    answers.push(await ask());
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return answers;
}

it("a flood of unknown tokens costs few look-ups, and leaves known ones as they were: answered, and paced", async () => {
  expect((await infer(tokenOf.user)).status).toBe(200);
  expect((await infer(tokenOf.admin)).status).toBe(200);
  const statuses = new Map<number, number>();
  let left = floodSize;
  let isOver = false;
  const startMs = performance.now();
  const flood = async () => {
    while (left-- > 0) {
      const { status, headers } = await see(makeTokenText("api").text);
      if (status === 429) expect(headers["retry-after"]).toBe("1");
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  const paced = until(
    () => isOver,
    () => infer(tokenOf.user),
  );
  const free = until(
    () => isOver,
    () => infer(tokenOf.admin),
  );
  const flooding = Promise.all(Array.from({ length: 32 }, flood));
  await expect.poll(() => statuses.get(429) ?? 0).toBeGreaterThan(1000);
  const message = toBinary(
    ModelMetadataRequestSchema,
    create(ModelMetadataRequestSchema, { name: "add" }),
  );
  const ask = () =>
    callGrpc(client, "/inference.GRPCInferenceService/ModelMetadata", {
      message,
      token: makeTokenText("api").text,
    });
  await expect.poll(ask).toEqual({ reason: "RATE_LIMITED", status: 8 });
  // Good, and shown for the first time now.
  const fresh = [await see(tokenOf.guest), await see(tokenOf.guest)];
  await flooding;
  isOver = true;
  const seconds = (performance.now() - startMs) / 1000;

  expect([...statuses.keys()].sort()).toEqual([401, 429]);
  expect(fresh.at(-1)?.status).toBe(200);
  const lookedUp = asked.filter((text) => !Object.values(tokenOf).includes(text)).length;
  expect(lookedUp).toBeGreaterThanOrEqual(statuses.get(401) ?? 0);
  expect(lookedUp).toBeLessThanOrEqual(100 + 20 * seconds + 1);
  expect(asked.filter((text) => text === tokenOf.user)).toHaveLength(1);
  expect((await free).map(({ status }) => status)).not.toContain(429);
  expect((await free).every(({ status }) => status === 200)).toBe(true);
  const answers = await paced;
  const passed = answers.filter(({ status }) => status === 200).length;
  expect(passed).toBeLessThanOrEqual(perSecond * (seconds + 1) + 1);
  const told = answers.find(({ status }) => status !== 200);
  expect(told?.json.error).toContain(`this token asks more than ${perSecond} times a second`);
});
