import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Gateway } from "@/gateway/gateway";
import { callAt } from "@/tests/support/call";
import { startTestGateway } from "@/tests/support/gateway";
import { type FakeBoard, serve, standardModels, startFakeBoard } from "./fake-board";

// HTTP/2 below gRPC, abused by frames of our own; h2spec judges it in tests/judges.

let board: FakeBoard;
let gateway: Gateway;

beforeAll(async () => {
  board = await startFakeBoard();
  gateway = await startTestGateway(standardModels().map((model) => serve(board, model)));
});
afterAll(async () => {
  await gateway.close();
  await board.close();
});

const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
const types = { headers: 1, rst: 3, settings: 4, ping: 6, goaway: 7, window: 8, continuation: 9 };

function frame(type: number, flags: number, id: number, payload: Uint8Array): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(id, 5);
  return Buffer.concat([head, payload]);
}
const none = Buffer.alloc(0);
const hello = Buffer.concat([preface, frame(types.settings, 0, 0, none)]);

async function open(first: Buffer = hello): Promise<Socket> {
  const socket = connect(gateway.grpcPort ?? 0, "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(first);
  return socket;
}

/** Everything that is sent until the end. */
async function all(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(socket, "close");
  return Buffer.concat(chunks);
}

/** The frames among the bytes. */
function framesOf(bytes: Buffer): { type: number; id: number; payload: Buffer }[] {
  const frames: { type: number; id: number; payload: Buffer }[] = [];
  for (let at = 0; at + 9 <= bytes.length; at += 9 + bytes.readUIntBE(at, 3)) {
    const payload = bytes.subarray(at + 9, at + 9 + bytes.readUIntBE(at, 3));
    frames.push({ type: bytes[at + 3] ?? 0, id: bytes.readUInt32BE(at + 5), payload });
  }
  return frames;
}

/** The code of the goaway frame among the bytes. */
const goawayCode = (bytes: Buffer): number | null =>
  framesOf(bytes)
    .find(({ type }) => type === types.goaway)
    ?.payload.readUInt32BE(4) ?? null;

const calm = 0xb;
/** A call of a method that there is not, by fields without a table. */
const literal = (name: string, value: string) =>
  Buffer.concat([
    Buffer.from([0, name.length]),
    Buffer.from(name),
    Buffer.from([value.length]),
    Buffer.from(value),
  ]);
const call = Buffer.concat([
  literal(":method", "POST"),
  literal(":scheme", "http"),
  literal(":path", "/a/B"),
  literal("content-type", "application/grpc"),
]);

describe("the gRPC port", () => {
  it("tells a client of HTTP/1.1 where it is", async () => {
    const socket = await open(Buffer.from("GET /v2 HTTP/1.1\r\nhost: x\r\n\r\n"));
    expect((await all(socket)).toString()).toMatch(/400 Bad Request[\s\S]*speaks gRPC/);
  });

  it("refuses streams beyond its limit, and goes on with the others", async () => {
    const socket = await open();
    const frames = Array.from({ length: 1002 }, (_, index) =>
      frame(types.headers, 4, 2 * index + 1, call),
    );
    let seen = Buffer.alloc(0);
    socket.on("data", (bytes: Buffer) => {
      seen = Buffer.concat([seen, bytes]);
    });
    const refused = () => {
      let count = 0;
      for (let at = 0; at + 13 <= seen.length; at += 9 + seen.readUIntBE(at, 3)) {
        if (seen[at + 3] === types.rst && seen.readUInt32BE(at + 9) === 7) count++;
      }
      return count;
    };
    socket.write(Buffer.concat(frames));
    await expect.poll(refused).toBe(2);
    socket.destroy();
  });

  it("sends an answer in as small pieces as a client has room for", async () => {
    const session = connectHttp2(`http://127.0.0.1:${gateway.grpcPort}`, {
      settings: { initialWindowSize: 16 },
    });
    const stream = session.request({
      ":method": "POST",
      ":path": "/inference.GRPCInferenceService/ServerMetadata",
      "content-type": "application/grpc",
      te: "trailers",
    });
    const pieces: Buffer[] = [];
    let status: unknown;
    stream.on("data", (piece: Buffer) => pieces.push(piece));
    stream.on("trailers", (trailers) => {
      status = trailers["grpc-status"];
    });
    stream.end(Buffer.alloc(5));
    await once(stream, "close");
    session.close();
    const answer = Buffer.concat(pieces);
    expect(status).toBe("0");
    expect(answer.readUInt32BE(1)).toBe(answer.length - 5);
    expect(answer.toString()).toContain("classification");
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(16);
  });

  it.each([
    {
      why: "streams that are opened and reset",
      piece: (n: number) =>
        Buffer.concat([
          frame(types.headers, 4, 2 * n + 1, call),
          frame(types.rst, 0, 2 * n + 1, Buffer.from([0, 0, 0, 8])),
        ]),
    },
    {
      why: "streams that it makes us reset",
      piece: (n: number) =>
        Buffer.concat([
          frame(types.headers, 4, 2 * n + 1, call),
          frame(types.window, 0, 2 * n + 1, Buffer.alloc(4)),
        ]),
    },
    { why: "pings", piece: () => frame(types.ping, 0, 0, Buffer.alloc(8)) },
    { why: "settings", piece: () => frame(types.settings, 0, 0, none) },
    { why: "unknown frames", piece: () => frame(0xbb, 0, 0, none) },
  ])("parts with a client that floods it with $why", async ({ piece }) => {
    const socket = await open();
    const told = all(socket);
    for (let from = 0; from < 20_000 && !socket.destroyed; from += 500) {
      socket.write(Buffer.concat(Array.from({ length: 500 }, (_, n) => piece(from + n))));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(goawayCode(await told)).toBe(calm);
  });

  it("parts with a client whose headers have no end", async () => {
    const socket = await open();
    const told = all(socket);
    socket.write(frame(types.headers, 0, 1, call));
    for (let n = 0; n < 10; n++) {
      socket.write(frame(types.continuation, 0, 1, Buffer.alloc(8000, literal("x", "y"))));
    }
    expect(goawayCode(await told)).toBe(calm);
  });

  it("parts with a client whose small headers unpack to huge ones", async () => {
    const socket = await open();
    const told = all(socket);
    const value = "v".repeat(100);
    const kept = Buffer.concat([
      Buffer.from([0x40, 1]),
      Buffer.from("n"),
      Buffer.from([value.length]),
      Buffer.from(value),
    ]);
    // One field kept in the table, then named thousands of times by a byte.
    socket.write(
      frame(types.headers, 5, 1, Buffer.concat([call, kept, Buffer.alloc(10_000, 0x80 | 62)])),
    );
    expect(goawayCode(await told)).toBe(calm);
  });

  it.concurrent.each([
    ["nothing", none],
    ["half a greeting", preface.subarray(0, 10)],
    ["a greeting without settings", preface],
  ])("cuts a connection that says %s", async (_, first) => {
    const socket = await open(first);
    const start = performance.now();
    await all(socket);
    expect(performance.now() - start).toBeLessThan(60_000);
  });

  it("counts what it ended on clients, by cause", async () => {
    const { text } = await callAt(gateway.metricsPort, "/metrics");
    const causes = [...text.matchAll(/^boardwalk_resets_total\{protocol="grpc",cause="(\w+)"\}/gm)];
    expect(causes.map(([, cause]) => cause)).toEqual(
      expect.arrayContaining(["flood", "slow", "stream"]),
    );
  });

  it("leaves a connection without calls, and none that has one", async () => {
    const idle = await startTestGateway([], { grpcIdleMs: 2000 });
    const sockets = [0, 1].map(() => connect(idle.grpcPort, "127.0.0.1"));
    const [quiet, busy] = sockets as [Socket, Socket];
    let busyEnded = false;
    busy.on("close", () => {
      busyEnded = true;
    });
    quiet.write(Buffer.concat([hello, frame(types.headers, 5, 1, call)]));
    const watch = "/grpc.health.v1.Health/Watch";
    const watching = Buffer.concat([
      literal(":method", "POST"),
      literal(":scheme", "http"),
      literal(":path", watch),
      literal("content-type", "application/grpc"),
    ]);
    const message = frame(0, 1, 1, Buffer.alloc(5));
    busy.write(Buffer.concat([hello, frame(types.headers, 4, 1, watching), message]));
    expect(goawayCode(await all(quiet))).toBe(0);
    expect(busyEnded).toBe(false);
    busy.destroy();
    await idle.close();
  });

  it("answers what a client sent before it could know that it is left", async () => {
    const leaving = await startTestGateway([], { grpcIdleMs: 100 });
    const socket = connect(leaving.grpcPort, "127.0.0.1");
    const heard: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => heard.push(chunk));
    socket.write(hello);
    const frames = () => framesOf(Buffer.concat(heard));
    await expect.poll(() => frames().some(({ type }) => type === types.goaway)).toBe(true);
    expect(
      frames()
        .find(({ type }) => type === types.goaway)
        ?.payload.readUInt32BE(0),
    ).toBe(2 ** 31 - 1);
    const answer = frame(types.ping, 1, 0, Buffer.alloc(8));
    socket.write(Buffer.concat([frame(types.headers, 5, 1, call), answer]));
    await once(socket, "close");
    expect(frames().filter(({ type, id }) => type === types.headers && id === 1)).toHaveLength(1);
    expect(frames().filter(({ type }) => type === types.rst)).toEqual([]);
    const last = frames().findLast(({ type }) => type === types.goaway);
    expect(last?.payload.readUInt32BE(0)).toBe(1);
    await leaving.close();
  });

  it("answers after all of that", async () => {
    const socket = await open();
    socket.write(frame(types.headers, 5, 1, call));
    const [bytes] = (await once(socket, "data")) as [Buffer];
    expect(bytes.length).toBeGreaterThan(0);
    socket.destroy();
  });
});
