import { once } from "node:events";
import { type RequestListener, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { createGuardedServer } from "./guarded-server";
import { portOf } from "./port";

const pace = { bytes: 1000, withinMs: 1000 };
const cuts: string[] = [];
const servers: ReturnType<typeof createGuardedServer>[] = [];

afterEach(() => {
  cuts.length = 0;
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** A server that holds bodies to the pace, and a request to it whose body is still to be written. */
async function startPost(listener: RequestListener) {
  const server = createGuardedServer(
    { slowestBody: pace, requestTimeout: 0, onCut: (cause) => cuts.push(cause) },
    listener,
  );
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const post = request({ port: portOf(server), method: "POST" });
  post.on("error", () => {});
  const answer = once(post, "response").then(([response]) => response.statusCode as number);
  return { post, answer };
}

const readAll: RequestListener = (incoming, response) => {
  incoming.resume().on("end", () => response.end());
};

it("ends a body that comes more slowly, with a word, though it never pauses for long", async () => {
  const { post, answer } = await startPost(readAll);
  const drip = setInterval(() => post.write("x"), 50);
  expect(await answer).toBe(408);
  clearInterval(drip);
  expect(cuts).toEqual(["slow"]);
});

it("lets one that keeps the pace take many times as long", async () => {
  const { post, answer } = await startPost(readAll);
  const startedMs = performance.now();
  while (performance.now() - startedMs < 3.5 * pace.withinMs) {
    post.write("x".repeat(500));
    await delay(20);
  }
  post.end();
  expect(await answer).toBe(200);
  expect(cuts).toEqual([]);
});

it("blames nobody while it does not read itself", async () => {
  const { post, answer } = await startPost((incoming, response) => {
    setTimeout(() => readAll(incoming, response), 3.5 * pace.withinMs);
  });
  post.end("x".repeat(4 * 2 ** 20));
  expect(await answer).toBe(200);
  expect(cuts).toEqual([]);
});

it("watches nothing that has no body", async () => {
  const { post, answer } = await startPost((_incoming, response) => {
    setTimeout(() => response.end(), 2.5 * pace.withinMs);
  });
  post.end();
  expect(await answer).toBe(200);
  expect(cuts).toEqual([]);
});
