import { once } from "node:events";
import { type IncomingMessage, type RequestListener, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createGuardedServer } from "./guarded-server";
import { portOf } from "./port";

// The time of a pace is made by the test, which goes on when what was written has come.

const pace = { bytes: 1000, withinMs: 60_000 };
const cuts: string[] = [];
const servers: ReturnType<typeof createGuardedServer>[] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
  cuts.length = 0;
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** Lets so many times pass in which a body must keep its pace. */
const pass = (times: number) => vi.advanceTimersByTime(times * pace.withinMs);

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await delay(1);
}

/** A server that holds bodies to the pace, and a request to it, which has come, whose body is still to be written. */
async function startPost(listener: RequestListener, { isEmpty = false } = {}) {
  let incoming: IncomingMessage | null = null;
  const server = createGuardedServer(
    { slowestBody: pace, requestTimeout: 0, onCut: (cause) => cuts.push(cause) },
    (...both) => {
      [incoming] = both;
      listener(...both);
    },
  );
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const post = request({ port: portOf(server), method: "POST" });
  post.on("error", () => {});
  const answer = once(post, "response").then(([response]) => response.statusCode as number);
  if (isEmpty) post.end();
  else post.flushHeaders();
  await until(() => incoming !== null);
  return { post, answer, incoming: incoming as unknown as IncomingMessage };
}

const readAll: RequestListener = (incoming, response) => {
  incoming.resume().on("end", () => response.end());
};

it("ends a body that comes more slowly, with a word, though it never pauses for long", async () => {
  const { post, answer, incoming } = await startPost(readAll);
  for (let n = 0; n < 20; n++) {
    const before = incoming.socket.bytesRead;
    post.write("x");
    await until(() => incoming.socket.bytesRead > before);
    pass(1 / 20);
  }
  expect(await answer).toBe(408);
  expect(cuts).toEqual(["slow"]);
});

it("lets one that keeps the pace take many times as long", async () => {
  const { post, answer, incoming } = await startPost(readAll);
  for (let n = 0; n < 4; n++) {
    const before = incoming.socket.bytesRead;
    post.write("x".repeat(pace.bytes));
    await until(() => incoming.socket.bytesRead >= before + pace.bytes);
    pass(1);
  }
  post.end();
  expect(await answer).toBe(200);
  expect(cuts).toEqual([]);
});

it("blames nobody while it does not read itself", async () => {
  let read = () => {};
  const { post, answer, incoming } = await startPost((...both) => {
    read = () => readAll(...both);
  });
  post.end("x".repeat(4 * 2 ** 20));
  await until(() => incoming.readableLength >= incoming.readableHighWaterMark);
  pass(4);
  read();
  expect(await answer).toBe(200);
  expect(cuts).toEqual([]);
});

it("watches nothing that has no body", async () => {
  let end = () => {};
  const { answer } = await startPost(
    (_incoming, response) => {
      end = () => response.end();
    },
    { isEmpty: true },
  );
  pass(3);
  end();
  expect(await answer).toBe(200);
  expect(cuts).toEqual([]);
});
