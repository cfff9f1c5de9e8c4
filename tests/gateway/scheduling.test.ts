import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RouteEndpoint } from "@/domain/routes";
import { type Gateway, startGateway } from "@/gateway/gateway";
import type { Serving } from "@/lib/common/contract";
import type { Tensor } from "@/lib/common/tensor";
import { callAt } from "@/tests/support/call";
import { type FakeBoard, serve, startFakeBoard } from "./fake-board";

let board: FakeBoard;
let gateway: Gateway;
/** Rows of each call that reached the board, in order: the first value of each row. */
let calls: number[][];
let gate: { readonly wait: Promise<void>; readonly open: () => void };
let broken = (_: readonly number[]): boolean => false;

function makeGate() {
  let open = (): void => {};
  const wait = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { wait, open };
}

beforeEach(async () => {
  calls = [];
  gate = makeGate();
  broken = () => false;
  board = await startFakeBoard();
});
afterEach(async () => {
  gate.open();
  await gateway.close();
  await board.close();
});

/** A model of free width on one board, blocked until the gate opens. */
async function start(serving: Serving, maxBatchSize = 8): Promise<void> {
  const spec = { datatype: "FP32" as const, shape: [-1, -1] };
  const endpoint: RouteEndpoint = serve(board, {
    name: "m",
    inputs: [{ ...spec, name: "x" }],
    outputs: [{ ...spec, name: "y" }],
    maxBatchSize,
    run: async ([x]) => {
      const { shape, data } = x as Tensor;
      const rows = Array.from({ length: shape[0] ?? 0 }, (_, row) =>
        Number(data[row * (shape[1] ?? 1)]),
      );
      calls.push(rows);
      await gate.wait;
      if (broken(rows)) throw new Error("broken");
      return [{ ...(x as Tensor), name: "y" }];
    },
  });
  const revisions = endpoint.revisions.map((revision) => ({ ...revision, serving }));
  gateway = await startGateway({
    load: async () => ({ endpoints: [{ ...endpoint, revisions }] }),
    listen: () => ({ close: async () => {} }),
    host: "127.0.0.1",
    httpPort: 0,
    metricsPort: 0,
    allowedHosts: [],
    portalUrl: "http://portal.test:3000",
  });
  await expect
    .poll(async () => (await callAt(gateway.httpPort, "/v2/models/m/ready")).status)
    .toBe(200);
}

/** One request of one row whose every value is `value`. */
function infer(
  value: number,
  {
    width = 2,
    parameters = {},
    signal,
  }: { width?: number; parameters?: object; signal?: AbortSignal } = {},
) {
  return callAt(gateway.httpPort, "/v2/models/m/infer", {
    body: JSON.stringify({
      id: `id-${value}`,
      parameters,
      inputs: [{ name: "x", shape: [1, width], datatype: "FP32", data: Array(width).fill(value) }],
    }),
    ...(signal ? { signal } : {}),
  });
}

const arrived = (count: number) => expect.poll(() => calls.length).toBe(count);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const queued = (count: number) =>
  expect
    .poll(async () => {
      const { text } = await callAt(gateway.metricsPort, "/metrics");
      return Number(/^boardwalk_queue_depth\{[^}]*\} (\d+)$/m.exec(text)?.[1]);
    })
    .toBe(count);

describe("requests that wait together", () => {
  it("80 share a call, and each gets its own row and id", async () => {
    await start({ instances: 1 });
    const first = infer(100);
    await arrived(1);
    const others = Array.from({ length: 7 }, (_, index) => infer(index));
    await queued(7);
    gate.open();
    for (const [index, answer] of (await Promise.all([first, ...others])).entries()) {
      const value = index === 0 ? 100 : index - 1;
      expect(answer.json).toMatchObject({
        id: `id-${value}`,
        outputs: [{ shape: [1, 2], data: [value, value] }],
      });
    }
    expect(calls).toEqual([[100], [0, 1, 2, 3, 4, 5, 6]]);
    const [stats] = (await callAt(gateway.httpPort, "/v2/models/m/stats")).json.model_stats;
    expect(stats).toMatchObject({ inference_count: 8, execution_count: 2 });
  });

  it("wait for each other as long as the revision says", async () => {
    await start({ maxBatchSize: 3, maxWaitMs: 150 });
    gate.open();
    const before = performance.now();
    const one = await infer(1);
    expect(performance.now() - before).toBeGreaterThan(140);
    expect(one.status).toBe(200);
  });

  it("wait no longer for a full batch", async () => {
    await start({ maxBatchSize: 3, maxWaitMs: 600_000 });
    gate.open();
    await Promise.all([infer(1), infer(2), infer(3)]);
    expect(calls).toEqual([[1, 2, 3]]);
  });

  it("81 never share a call across shapes", async () => {
    await start({ instances: 1 });
    const first = infer(100);
    await arrived(1);
    const others = [infer(1), infer(2), infer(3, { width: 3 }), infer(4), infer(5)];
    await queued(5);
    gate.open();
    for (const answer of await Promise.all([first, ...others])) expect(answer.status).toBe(200);
    expect(calls.slice(1)).toEqual([[1, 2], [3], [4, 5]]);
  });

  it("run alone where the revision wants that", async () => {
    await start({ instances: 1, maxBatchSize: 1 });
    const first = infer(100);
    await arrived(1);
    const others = [infer(1), infer(2)];
    await queued(2);
    gate.open();
    await Promise.all([first, ...others]);
    expect(calls).toEqual([[100], [1], [2]]);
  });

  it("82 lose nothing to one that is wrong", async () => {
    await start({ instances: 1 });
    const first = infer(100);
    await arrived(1);
    const others = [infer(1), infer(2)];
    const wrong = callAt(gateway.httpPort, "/v2/models/m/infer", {
      body: '{"inputs":[{"name":"x","shape":[1,2],"datatype":"FP32","data":[1]}]}',
    });
    expect((await wrong).status).toBe(400);
    await queued(2);
    gate.open();
    for (const answer of await Promise.all([first, ...others])) expect(answer.status).toBe(200);
  });

  it("are asked one by one when their call fails, so that only the guilty one does", async () => {
    await start({ instances: 1 });
    broken = (rows) => rows.includes(13);
    const first = infer(100);
    await arrived(1);
    const others = [infer(1), infer(13), infer(2)];
    await queued(3);
    gate.open();
    const statuses = (await Promise.all([first, ...others])).map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 500, 200]);
    expect(calls.slice(1)).toEqual([[1, 13, 2], [1], [13], [2]]);
  });

  it("83 all fail when the board does, and are counted", async () => {
    await start({ instances: 1 });
    broken = () => true;
    const first = infer(100);
    await arrived(1);
    const others = [infer(1), infer(2)];
    await queued(2);
    gate.open();
    for (const answer of await Promise.all([first, ...others])) expect(answer.status).toBe(500);
    const [stats] = (await callAt(gateway.httpPort, "/v2/models/m/stats")).json.model_stats;
    expect(stats.inference_stats).toMatchObject({ fail: { count: 3 }, success: { count: 0 } });
  });
});

describe("a queue", () => {
  it("84 refuses what it cannot hold, at once", async () => {
    await start({ instances: 1, maxQueueSize: 1 });
    const running = infer(1);
    await arrived(1);
    const waiting = infer(2);
    await queued(1);
    const refused = await infer(3);
    expect(refused).toMatchObject({ status: 503, json: { code: "QUEUE_FULL" } });
    expect(refused.json.error).toContain("Exceeds maximum queue size");
    expect(refused.headers["retry-after"]).toBe("1");
    gate.open();
    for (const answer of await Promise.all([running, waiting])) expect(answer.status).toBe(200);
  });

  it("85 refuses what waited too long, while the board is still busy", async () => {
    await start({ instances: 1 });
    const running = infer(1);
    await arrived(1);
    const late = await infer(2, { parameters: { timeout: 1000 } });
    expect(late).toMatchObject({ status: 503, json: { error: "Request timeout expired" } });
    gate.open();
    expect((await running).status).toBe(200);
    expect(calls).toEqual([[1]]);
  });

  it("serves what waited too long after all others, where the revision wants that", async () => {
    await start({ instances: 1, maxBatchSize: 1, onTimeout: "delay" });
    const running = infer(1);
    await arrived(1);
    const late = infer(2, { parameters: { timeout: 5000 } });
    await queued(1);
    await pause(40);
    const next = infer(3);
    await queued(2);
    gate.open();
    await Promise.all([running, late, next]);
    expect(calls).toEqual([[1], [3], [2]]);
  });

  it("86 lets the urgent pass", async () => {
    await start({ instances: 1, maxBatchSize: 1, priorityLevels: 2, defaultPriority: 2 });
    const running = infer(1);
    await arrived(1);
    const usual = [infer(2), infer(3, { parameters: { priority: 2 } })];
    await queued(2);
    const urgent = infer(4, { parameters: { priority: 1 } });
    await queued(3);
    gate.open();
    await Promise.all([running, ...usual, urgent]);
    expect(calls.map(([value]) => value)).toEqual([1, 4, 2, 3]);
  });

  it("87 forgets a request whose caller left", async () => {
    await start({ instances: 1, maxBatchSize: 1 });
    const running = infer(1);
    await arrived(1);
    const gone = new AbortController();
    const left = infer(2, { signal: gone.signal }).catch(() => "gone");
    await queued(1);
    gone.abort();
    await queued(0);
    expect(await left).toBe("gone");
    gate.open();
    await running;
    await pause(50);
    expect(calls).toEqual([[1]]);
  });
});
