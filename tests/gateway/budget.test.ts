import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2";
import { connect, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { create, toBinary } from "@bufbuild/protobuf";
import { Client } from "undici";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { RouteEndpoint } from "@/domain/routes";
import type { Gateway, GatewayOptions } from "@/gateway/gateway";
import { ModelInferRequestSchema } from "@/proto/inference/generated/inference_pb";
import { bundle } from "@/scripts/bundle.mjs";
import { startTestGateway } from "@/tests/support/gateway";
import { type FakeBoard, serve, standardModels, startFakeBoard } from "./fake-board";

// What clients may make the gateway hold, and a good client beside those who try more. Each has an address of its own.

const mebibyte = 2 ** 20;
/** Machines are busy at times. */
const patience = { timeout: 20_000 };
const model = standardModels().find(({ name }) => name === "matrix")!;
let board: FakeBoard;
let endpoint: RouteEndpoint;
let gateway: Gateway;
let gate = Promise.resolve();
const sockets: Socket[] = [];
const sessions: ClientHttp2Session[] = [];

// Large bodies are read in a thread.
beforeAll(async () => {
  process.env["BOARDWALK_BUNDLES"] ??= await bundle();
});
beforeEach(async () => {
  gate = Promise.resolve();
  board = await startFakeBoard();
  endpoint = serve(board, {
    ...model,
    run: async (inputs) => {
      await gate;
      return model.run(inputs);
    },
  });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const session of sessions.splice(0)) session.destroy();
  await gateway.close();
  await board.close();
});

async function start(options: Partial<GatewayOptions>): Promise<void> {
  gateway = await startTestGateway([endpoint], options);
  const ready = `http://127.0.0.1:${gateway.httpPort}/v2/models/matrix/ready`;
  await expect.poll(async () => (await fetch(ready)).status, patience).toBe(200);
}

type Dialled = Awaited<ReturnType<typeof dial>>;

/** A bare connection from an address of its own. */
async function dial(localAddress: string, port = gateway.httpPort) {
  const socket = connect({ host: "127.0.0.1", port, localAddress });
  sockets.push(socket);
  let text = "";
  socket.on("data", (bytes) => {
    text += bytes.toString("latin1");
  });
  socket.on("error", () => {});
  await new Promise((resolve) => socket.once("connect", resolve).once("close", resolve));
  return { socket, heard: () => text };
}

const head = (fields: string) =>
  `POST /v2/models/matrix/infer HTTP/1.1\r\nHost: localhost\r\n${fields}\r\n\r\n`;

/** Sends most of a body, and keeps the rest. */
async function holdBack(localAddress: string, bytes: number) {
  const dialled = await dial(localAddress);
  dialled.socket.write(head(`Content-Length: ${bytes + 1}`));
  dialled.socket.write(Buffer.alloc(bytes, 0x20));
  return dialled;
}

const statusOf = (heard: () => string) => Number(/^HTTP\/1.1 (\d+)/.exec(heard())?.[1] ?? 0);

/** Inferences of an honest client, one after the other; their statuses, or what was said instead of an answer. */
async function beGood(times: number): Promise<(number | string)[]> {
  const client = new Client(`http://127.0.0.1:${gateway.httpPort}`);
  const statuses: (number | string)[] = [];
  for (let i = 0; i < times; i++) {
    const { statusCode, body } = await client.request({
      method: "POST",
      path: "/v2/models/matrix/infer",
      body: JSON.stringify({
        inputs: [{ name: "x", shape: [1, 2], datatype: "FP32", data: [i, 2] }],
      }),
    });
    const text = await body.text();
    statuses.push(text.includes(`"data":[${i},2]`) ? statusCode : text);
  }
  await client.close();
  return statuses;
}

const allGood = (times: number) => Array(times).fill(200);

function inferMessage(elements: number): Buffer {
  return Buffer.from(
    toBinary(
      ModelInferRequestSchema,
      create(ModelInferRequestSchema, {
        modelName: "matrix",
        inputs: [{ name: "x", datatype: "FP32", shape: [1n, BigInt(elements)] }],
        rawInputContents: [new Uint8Array(4 * elements)],
      }),
    ),
  );
}

function prefix(length: number, packed = false): Buffer {
  const bytes = Buffer.alloc(5);
  bytes[0] = packed ? 1 : 0;
  bytes.writeUInt32BE(length, 1);
  return bytes;
}

function session(localAddress: string): ClientHttp2Session {
  const made = connectHttp2(`http://127.0.0.1:${gateway.grpcPort}`, {
    createConnection: () => connect({ host: "127.0.0.1", port: gateway.grpcPort, localAddress }),
  });
  made.on("error", () => {});
  sessions.push(made);
  return made;
}

interface Told {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

/** A unary `ModelInfer` of the given bytes; without an end it waits for a refusal. */
function callGrpc(
  over: ClientHttp2Session,
  bytes: Buffer,
  { ends = true, headers = {} }: { ends?: boolean; headers?: Record<string, string> } = {},
): Promise<Told> {
  return new Promise((resolve) => {
    const stream = over.request({
      ":method": "POST",
      ":path": "/inference.GRPCInferenceService/ModelInfer",
      "content-type": "application/grpc",
      te: "trailers",
      ...headers,
    });
    const told = (fields: Record<string, unknown>): void => {
      if (fields["grpc-status"] === undefined) return;
      resolve({
        status: Number(fields["grpc-status"]),
        retryAfter: fields["retry-after"] as string | undefined,
      });
    };
    stream.on("response", told);
    stream.on("trailers", told);
    stream.on("error", () => {});
    stream.on("close", () => resolve({ status: -1, retryAfter: undefined }));
    stream.resume();
    if (ends) stream.end(bytes);
    else stream.write(bytes);
  });
}

const exhausted = { status: 8, retryAfter: "1" };

describe("bodies", () => {
  const budget = { totalBytes: 16 * mebibyte, clientBytes: 8 * mebibyte };

  it("of one client hold no more than its share, and leave the others theirs", async () => {
    await start({ budget });
    const first = await holdBack("127.0.0.2", 4 * mebibyte);
    const second = await holdBack("127.0.0.2", 4 * mebibyte);
    await expect.poll(() => statusOf(second.heard) || statusOf(first.heard), patience).toBe(429);
    const refused = statusOf(second.heard) === 429 ? second : first;
    expect(refused.heard()).toMatch(/retry-after: 1\r\n/i);
    expect(refused.heard()).toContain('"code":"RATE_LIMITED"');
    expect(await beGood(20)).toEqual(allGood(20));
  });

  it("of many clients hold no more than the server gives, and small ones still pass", async () => {
    await start({ budget });
    const held: Dialled[] = [];
    for (const address of ["127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5"]) {
      held.push(await holdBack(address, 5 * mebibyte));
    }
    const full = () => held.filter(({ heard }) => statusOf(heard) === 429);
    await expect.poll(() => full().length, patience).toBeGreaterThan(0);
    expect(full()[0]?.heard()).toContain('"code":"MEMORY_FULL"');
    expect(await beGood(20)).toEqual(allGood(20));
  });

  it("are let go of when their client leaves", async () => {
    await start({ budget });
    for (let round = 0; round < 6; round++) {
      const held = await holdBack("127.0.0.2", 5 * mebibyte);
      expect(statusOf(held.heard)).toBe(0);
      held.socket.destroy();
      await new Promise((resolve) => held.socket.once("close", resolve));
    }
    const large = JSON.stringify({
      inputs: [{ name: "x", shape: [1, 1], datatype: "FP32", data: [1] }],
      padding: " ".repeat(3 * mebibyte),
    });
    await expect
      .poll(async () => {
        const answer = await dial("127.0.0.2");
        answer.socket.write(head(`Content-Length: ${large.length}`) + large);
        await expect.poll(() => statusOf(answer.heard), patience).not.toBe(0);
        return statusOf(answer.heard);
      })
      .toBe(200);
  });

  it("in crumbs are read whole, in turns that leave the others theirs", async () => {
    await start({});
    const crumbsOf = (text: string) => Buffer.from([...text].map((c) => `1\r\n${c}\r\n`).join(""));
    const request = JSON.stringify({
      inputs: [{ name: "x", shape: [1, 2], datatype: "FP32", data: [3, 4] }],
    });
    const spaces = crumbsOf(" ".repeat(10_000));
    const before = process.memoryUsage().rss;
    const senders = Array.from({ length: 4 }, async (_, i) => {
      const { socket, heard } = await dial(`127.0.0.${i + 2}`);
      socket.write(head("Transfer-Encoding: chunked"));
      socket.write(spaces);
      socket.write(crumbsOf(request));
      socket.write("0\r\n\r\n");
      await expect.poll(() => statusOf(heard), { timeout: 60_000 }).not.toBe(0);
      return statusOf(heard);
    });
    expect(await beGood(38)).toEqual(allGood(38));
    expect(await Promise.all(senders)).toEqual([200, 200, 200, 200]);
    // Eight hundred thousand crumbs, each with an object and the buffer it came in, were many times that.
    expect(process.memoryUsage().rss - before).toBeLessThan(512 * mebibyte);
  }, 120_000);
});

describe("gRPC messages", () => {
  it("count what came, not what was announced", async () => {
    await start({ budget: { totalBytes: 16 * mebibyte, clientBytes: 8 * mebibyte } });
    const attacker = session("127.0.0.2");
    const before = process.memoryUsage().arrayBuffers;
    const calls = Array.from({ length: 200 }, () =>
      callGrpc(attacker, prefix(60 * mebibyte), { ends: false }),
    );
    const good = session("127.0.0.1");
    const message = inferMessage(2);
    for (let i = 0; i < 20; i++) {
      const bytes = Buffer.concat([prefix(message.length), message]);
      expect(await callGrpc(good, bytes)).toMatchObject({ status: 0 });
    }
    // Two hundred announcements are 12,000 MiB.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * mebibyte);
    attacker.destroy();
    await Promise.all(calls);
  });

  it("share the budget with HTTP, and are told when to come back", async () => {
    await start({ budget: { totalBytes: 16 * mebibyte, clientBytes: 8 * mebibyte } });
    const { heard } = await holdBack("127.0.0.2", 5 * mebibyte);
    const attacker = session("127.0.0.2");
    const part = Buffer.concat([prefix(60 * mebibyte), Buffer.alloc(3 * mebibyte)]);
    // Each would have its place alone; the one that comes second has none.
    const call = callGrpc(attacker, part, { ends: false });
    let told: Told | null = null;
    void call.then((answer) => {
      told = answer;
    });
    await expect.poll(() => statusOf(heard) === 429 || told, patience).toBeTruthy();
    if (told) expect(told).toEqual(exhausted);
    expect(await beGood(5)).toEqual(allGood(5));
  });

  it("may not unpack to two hundred times their size", async () => {
    await start({});
    const bomb = gzipSync(inferMessage(8 * mebibyte));
    const bytes = Buffer.concat([prefix(bomb.length, true), bomb]);
    const headers = { "grpc-encoding": "gzip" };
    expect(await callGrpc(session("127.0.0.1"), bytes, { headers })).toMatchObject({ status: 8 });
  });

  it("of one client are counted together, whichever connections they come by", async () => {
    let open = (): void => {};
    gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    await start({ maxClientInFlight: 2 });
    const message = inferMessage(2);
    const bytes = Buffer.concat([prefix(message.length), message]);
    const slow = [1, 2].map(() => callGrpc(session("127.0.0.2"), bytes));
    await expect.poll(() => board.seen.length, patience).toBe(2);
    expect(await callGrpc(session("127.0.0.2"), bytes)).toEqual(exhausted);
    open();
    expect(await Promise.all(slow)).toMatchObject([{ status: 0 }, { status: 0 }]);
  });
});

describe("connections", () => {
  it("of one client are so many at most, HTTP and gRPC together", async () => {
    await start({ maxClientConnections: 4 });
    const held: Dialled[] = [];
    for (let i = 0; i < 4; i++) held.push(await dial("127.0.0.2"));
    const refused = await dial("127.0.0.2");
    await expect.poll(() => statusOf(refused.heard), patience).toBe(429);
    expect(refused.heard()).toMatch(/retry-after: 1\r\n/i);
    const cut = await dial("127.0.0.2", gateway.grpcPort);
    await expect.poll(() => cut.socket.destroyed, patience).toBe(true);
    expect(await beGood(5)).toEqual(allGood(5));
    held[0]?.socket.destroy();
    await expect
      .poll(async () => {
        const again = await dial("127.0.0.2");
        again.socket.write("GET /v2/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n");
        await expect.poll(() => statusOf(again.heard), patience).not.toBe(0);
        return statusOf(again.heard);
      })
      .toBe(200);
  });

  it("are so many at most of each protocol, and those above are closed and counted", async () => {
    await start({ maxConnections: 3 });
    // The one by which it was asked whether it is ready is kept.
    for (const each of ["127.0.0.2", "127.0.0.3"]) await dial(each);
    const above = await dial("127.0.0.4");
    await expect.poll(() => above.socket.destroyed, patience).toBe(true);
    for (let i = 0; i < 3; i++) await dial("127.0.0.2", gateway.grpcPort);
    const aboveToo = await dial("127.0.0.3", gateway.grpcPort);
    await expect.poll(() => aboveToo.socket.destroyed, patience).toBe(true);
    const metrics = await fetch(`http://127.0.0.1:${gateway.metricsPort}/metrics`);
    const text = await metrics.text();
    for (const protocol of ["http", "grpc"]) {
      expect(text).toContain(`boardwalk_resets_total{protocol="${protocol}",cause="full"} 1`);
    }
  });
});
