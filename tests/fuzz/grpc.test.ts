import { create, toBinary } from "@bufbuild/protobuf";
import { Client, credentials } from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { randomFrom } from "@/compiler/random";
import type { Gateway } from "@/gateway/gateway";
import { ModelInferRequestSchema } from "@/proto/inference/generated/inference_pb";
import { startTestGateway } from "@/tests/support/gateway";
import { sendGrpc } from "@/tests/support/grpc-call";
import { type RealBoard, startRealBoard } from "@/tests/support/real-board";
import { serveRealModels } from "@/tests/support/real-models";
import { mutate } from "./mutate";

// Damaged messages by seed: every one gets an honest status, none hurts the server or its neighbours.

const count = Number(process.env["FUZZ_COUNT"] ?? 20_000) / 4;
const seed = Number(process.env["FUZZ_SEED"] ?? 2026);
const abreast = 16;
const path = "/inference.GRPCInferenceService/ModelInfer";
let board: RealBoard;
let gateway: Gateway;
let client: Client;

beforeAll(async () => {
  board = await startRealBoard();
  const endpoints = await serveRealModels(board);
  gateway = await startTestGateway(endpoints);
  client = new Client(`127.0.0.1:${gateway.grpcPort}`, credentials.createInsecure());
}, 120_000);
afterAll(async () => {
  client.close();
  await gateway.close();
  await board.close();
});

const send = (bytes: Uint8Array) => sendGrpc(client, path, { message: bytes });

const blob = new Uint8Array(Float32Array.of(1, -2.5, 3, 4, 5, 6).buffer);
const tensor = { name: "x", datatype: "FP32", shape: [2n, 3n] };
const message = (init: object) =>
  toBinary(ModelInferRequestSchema, create(ModelInferRequestSchema, init));
const good = message({ modelName: "matrix", inputs: [tensor], rawInputContents: [blob] });
const seeds = [
  good,
  message({
    modelName: "matrix",
    id: "typed",
    inputs: [{ ...tensor, contents: { fp32Contents: [1, 2, 3, 4, 5, 6] } }],
    outputs: [{ name: "y" }],
  }),
  message({
    modelName: "echo_bytes",
    inputs: [
      { ...tensor, datatype: "BYTES", shape: [2n], contents: { bytesContents: [blob, blob] } },
    ],
    parameters: { timeout: { parameterChoice: { case: "int64Param", value: 1_000_000n } } },
  }),
];
/** What an honest server may say: well, or the caller's mistake. */
const honest: ReadonlySet<number> = new Set([0, 3, 5, 8, 12]);

describe(`${count} damaged messages from seed ${seed}`, () => {
  it("get an honest status, and spoil no other", async () => {
    const random = randomFrom(seed);
    const codes = new Map<number, number>();
    const wrong: string[] = [];
    for (let done = 0; done < count; done += abreast - 1) {
      const right = send(good);
      await Promise.all(
        Array.from({ length: abreast - 1 }, async () => {
          const damaged = mutate(seeds[random.integer(0, seeds.length - 1)] as Uint8Array, random);
          const { code, details } = await send(damaged);
          codes.set(code, (codes.get(code) ?? 0) + 1);
          if (!honest.has(code) || (code !== 0 && details === "")) {
            wrong.push(`${code} ${details} ${Buffer.from(damaged).toString("hex")}`);
          }
        }),
      );
      const { code, answer } = await right;
      expect(code).toBe(0);
      expect(answer.includes(Buffer.from(blob))).toBe(true);
    }
    console.log(`codes: ${JSON.stringify(Object.fromEntries(codes))}`);
    expect(wrong.slice(0, 5)).toEqual([]);
    expect(codes.get(3) ?? 0).toBeGreaterThan(count / 4);
  }, 600_000);
});
