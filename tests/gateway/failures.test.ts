import { createServer, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RouteEndpoint, RouteSnapshot } from "@/domain/routes";
import { type Gateway, startGateway } from "@/gateway/gateway";
import { readFrames, writeFrame } from "@/lib/server/board-protocol";
import { begin } from "@/tests/support/raw";
import { type FakeBoard, type FakeModel, serve, startFakeBoard } from "./fake-board";

let one: FakeBoard;
let two: FakeBoard;
let gateway: Gateway;
let snapshot: RouteSnapshot;
let ring = (): void => {};
let away = false;

const echo: FakeModel = {
  name: "echo",
  inputs: [{ name: "x", datatype: "FP32", shape: [-1] }],
  outputs: [{ name: "y", datatype: "FP32", shape: [-1] }],
  maxBatchSize: 0,
  run: ([x]) => (x ? [{ ...x, name: "y" }] : []),
};

/** An endpoint whose revision both boards serve. */
function served(first: FakeModel = echo, second: FakeModel = echo): RouteEndpoint {
  const a = serve(one, first);
  const b = serve(two, second);
  const replicas = [...(a.revisions[0]?.replicas ?? []), ...(b.revisions[0]?.replicas ?? [])];
  return { ...a, revisions: a.revisions.map((revision) => ({ ...revision, replicas })) };
}

beforeEach(async () => {
  one = await startFakeBoard();
  two = await startFakeBoard();
  away = false;
  snapshot = { endpoints: [served()] };
  gateway = await start();
});
afterEach(async () => {
  await gateway.close();
  await Promise.all([one.close(), two.close()]);
});

function start({
  before,
  ...options
}: {
  readonly maxSnapshotAgeMs?: number;
  readonly before?: Promise<void>;
} = {}): Promise<Gateway> {
  return startGateway({
    load: async () => {
      await before;
      if (away) throw new Error("no database");
      return snapshot;
    },
    listen: (onRing) => {
      ring = onRing;
      return { close: async () => {} };
    },
    host: "127.0.0.1",
    httpPort: 0,
    metricsPort: 0,
    allowedHosts: [],
    portalUrl: "http://localhost:3000",
    ...options,
  });
}

/** Shows the gateway another snapshot and waits until it answers from it. */
async function show(endpoint: RouteEndpoint): Promise<void> {
  snapshot = { endpoints: [endpoint, { ...endpoint, name: `mark-${++marks}` }] };
  ring();
  await expect
    .poll(async () => (await get("/v2/models")).body.models as string[])
    .toContain(`mark-${marks}`);
}
let marks = 0;

async function get(path: string) {
  const answer = await fetch(`http://127.0.0.1:${gateway.httpPort}${path}`);
  return { status: answer.status, body: await answer.json() };
}

async function infer(extra: object = {}, signal?: AbortSignal) {
  const answer = await fetch(`http://127.0.0.1:${gateway.httpPort}/v2/models/echo/infer`, {
    method: "POST",
    body: JSON.stringify({
      inputs: [{ name: "x", shape: [1], datatype: "FP32", data: [1] }],
      ...extra,
    }),
    ...(signal ? { signal } : {}),
  });
  return {
    status: answer.status,
    retryAfter: answer.headers.get("retry-after"),
    body: await answer.json(),
  };
}

describe("a gateway that starts", () => {
  it("takes no connection before it can answer", async () => {
    let tell = (): void => {};
    const told = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const starting = start({ before: told });
    setTimeout(tell, 300);
    await gateway.close();
    gateway = await starting;
    expect(await infer()).toMatchObject({ status: 200 });
  });

  it("listens without routes where they cannot be read, and says so", async () => {
    away = true;
    await gateway.close();
    gateway = await start();
    expect(await infer()).toMatchObject({
      status: 503,
      body: { error: expect.stringContaining("the server is starting") },
    });
  });
});

describe("replicas", () => {
  it("share the work, the least busy one first", async () => {
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    await show(served({ ...echo, run: (x) => gate.then(() => echo.run(x)) }));
    const slow = [infer(), infer()];
    await expect.poll(() => one.seen.length).toBeGreaterThan(0);
    for (let i = 0; i < 6; i++) expect((await infer()).status).toBe(200);
    expect(one.seen.length).toBeLessThanOrEqual(2);
    expect(two.seen.length).toBeGreaterThanOrEqual(6);
    open();
    for (const answer of await Promise.all(slow)) expect(answer.status).toBe(200);
  });

  it("stand in for one whose server is not there: nothing was sent", async () => {
    await one.close();
    for (let i = 0; i < 6; i++) expect((await infer()).status).toBe(200);
    expect(two.seen).toHaveLength(6);
  });

  it("stand in for one that refuses since it holds another revision", async () => {
    one.slots.clear();
    for (let i = 0; i < 6; i++) expect((await infer()).status).toBe(200);
    expect(one.seen.length).toBeLessThanOrEqual(1);
  });

  it("are asked again once they hold the revision again, as after a restart", async () => {
    await two.close();
    const held = new Map(one.slots);
    one.slots.clear();
    expect(await infer()).toMatchObject({ status: 503 });
    for (const [id, slot] of held) one.slots.set(id, slot);
    await expect.poll(async () => (await infer()).status).toBe(200);
  });

  it("never get a request a second time that may have been begun", async () => {
    let received = 0;
    const sockets = new Set<Socket>();
    const rude = createServer((socket) => {
      sockets.add(socket);
      socket.on("error", () => {});
      readFrames(socket, ({ head }) => {
        const { ping } = head as { ping?: number };
        if (ping !== undefined) {
          writeFrame(socket, { pong: ping }, []);
          return;
        }
        received++;
        socket.destroy();
      });
    });
    await new Promise<void>((resolve) => rude.listen(0, "127.0.0.1", resolve));
    const { port } = rude.address() as { port: number };
    const route = served();
    await show({
      ...route,
      revisions: route.revisions.map((revision) => ({
        ...revision,
        replicas: [
          { slotId: "slt_rude", slotEpoch: 1, address: { kind: "tcp", host: "127.0.0.1", port } },
          ...revision.replicas.slice(1),
        ],
      })),
    });
    const answers = [];
    for (let i = 0; i < 4; i++) answers.push(await infer());
    const broken = answers.filter(({ status }) => status === 503);
    expect(received).toBe(1);
    expect(broken).toHaveLength(1);
    expect(broken[0]).toMatchObject({ retryAfter: "1", body: { code: "UPSTREAM_RESET" } });
    expect(two.seen).toHaveLength(3);
    for (const socket of sockets) socket.destroy();
    rude.close();
  });

  it("are withdrawn after answering from another revision, whose answer nobody sees (R8)", async () => {
    const slot = one.slots.get("slt_echo_1");
    if (slot) slot.echo = "rev_other";
    const answers = [];
    for (let i = 0; i < 6; i++) answers.push(await infer());
    expect(answers.filter(({ status }) => status === 502)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(one.seen).toHaveLength(1);
  });

  it("fail with 500 and no word of the cause when the model does", async () => {
    const failing = { ...echo, run: () => Promise.reject(new Error("secret path")) };
    await show(served(failing, failing));
    const answer = await infer();
    expect(answer.status).toBe(500);
    expect(JSON.stringify(answer.body)).not.toMatch(/secret|fake/);
  });

  it("that are all gone make a model unavailable, not unknown", async () => {
    const route = served();
    const revisions = route.revisions.map((revision) => ({ ...revision, replicas: [] }));
    await show({ ...route, state: "degraded", revisions });
    expect(await infer()).toMatchObject({ status: 503, retryAfter: "2" });
  });

  it("that are all silent make a model not ready, before anybody asked it", async () => {
    await Promise.all([one.close(), two.close()]);
    await expect.poll(async () => (await get("/v2/models/echo/ready")).status).toBe(503);
    expect((await get("/v2/models/echo/ready")).body.error).toMatch(/no board .* can be reached/);
    expect((await get("/v1/models/echo")).status).toBe(503);
    expect((await get("/v2/models/echo")).body.versions).toEqual([]);
    expect((await infer()).status).toBe(503);
  });
});

describe("a caller that leaves", () => {
  it("takes its request with it", async () => {
    let begun = 0;
    let aborted = 0;
    const run = () => {
      begun++;
      return new Promise<never>(() => {});
    };
    const waiting = { ...echo, run };
    await show(served(waiting, waiting));
    const gone = new AbortController();
    const answer = infer({}, gone.signal).catch(() => aborted++);
    await expect.poll(() => begun).toBe(1);
    gone.abort();
    await answer;
    expect(aborted).toBe(1);
    await show(served());
    expect((await infer()).status).toBe(200);
  });
});

describe("the gateway", () => {
  it("serves from its last routes while the database is away, and not for ever", async () => {
    await gateway.close();
    gateway = await start({ maxSnapshotAgeMs: 1500 });
    await expect.poll(async () => (await infer()).status).toBe(200);
    away = true;
    ring();
    expect((await infer()).status).toBe(200);
    await expect.poll(async () => (await infer()).status).toBe(503);
    expect((await get("/v2/health/ready")).status).toBe(503);
    expect((await get("/v2/health/live")).status).toBe(200);
    away = false;
    ring();
    await expect.poll(async () => (await infer()).status).toBe(200);
  });

  it("88 becomes unready first when it leaves, ends what runs, and takes nothing new", async () => {
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const slow: FakeModel = { ...echo, run: (x) => gate.then(() => echo.run(x)) };
    await show(served(slow, slow));
    const running = infer();
    await expect.poll(() => one.seen.length + two.seen.length).toBe(1);
    const close = "Host: localhost\r\nConnection: close\r\n";
    const body = JSON.stringify({
      inputs: [{ name: "x", shape: [1], datatype: "FP32", data: [1] }],
    });
    const requests = [
      `GET /v2/health/ready HTTP/1.1\r\n${close}\r\n`,
      `GET /v2/health/live HTTP/1.1\r\n${close}\r\n`,
      `POST /v2/models/echo/infer HTTP/1.1\r\n${close}Content-Length: ${body.length}\r\n\r\n${body}`,
    ];
    // Begun before: a moment after it was told to leave, the gateway takes no connection.
    const ends = await Promise.all(requests.map((text) => begin(gateway.httpPort, text)));
    expect((await get("/v2/health/live")).status).toBe(200);
    const closed = gateway.close();
    const answers = await Promise.all(ends.map((end) => end()));
    expect(answers.map(({ statuses }) => statuses)).toEqual([[503], [200], [503]]);
    expect(answers[0]?.text).toContain('"ready":false');
    open();
    expect((await running).status).toBe(200);
    await closed;
    await expect(get("/v2/health/live")).rejects.toThrow();
  });
});
