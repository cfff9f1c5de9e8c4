import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { Slot } from "@/board-server/slots/slot";
import type { RouteEndpoint } from "@/domain/routes";
import type { Gateway } from "@/gateway/gateway";
import type { Serving } from "@/lib/common/contract";
import { type Answer, type CallOptions, callAt } from "@/tests/support/call";
import { startTestGateway } from "@/tests/support/gateway";
import { begin } from "@/tests/support/raw";
import { type RealBoard, startRealBoard } from "@/tests/support/real-board";
import { temperamentalModel, unlucky } from "@/tests/support/temperamental-model";

// The checklist's part on batches and load, against a real board server that is busy for as long as it is told.

/** A request with this value keeps the model busy for a second on an idle machine. */
const long = 8000;
/** … and with this one for three, where the test looks at the queue meanwhile: looking takes time on a busy machine. */
const veryLong = 2.5 * long;
let board: RealBoard;
let endpoint: RouteEndpoint;
let gateway: Gateway;
const asked = vi.spyOn(Slot.prototype, "infer");

beforeAll(async () => {
  board = await startRealBoard();
  endpoint = await board.serve(temperamentalModel("m", 8));
});
afterAll(() => board.close());
afterEach(() => gateway.close());

async function start(serving: Serving): Promise<void> {
  const revisions = endpoint.revisions.map((revision) => ({ ...revision, serving }));
  gateway = await startTestGateway([{ ...endpoint, revisions }]);
  await expect.poll(async () => (await call("/v2/models/m/ready")).status).toBe(200);
}

const call = (path: string, options?: CallOptions) => callAt(gateway.httpPort, path, options);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function infer(value: number, { width = 2, ...rest }: { width?: number } & InferOptions = {}) {
  const { parameters = {}, ...options } = rest;
  const data = Array(width).fill(value);
  return call("/v2/models/m/infer", {
    body: JSON.stringify({
      id: `id-${value}`,
      parameters,
      inputs: [{ name: "x", shape: [1, width], datatype: "FP32", data }],
    }),
    ...options,
  });
}

interface InferOptions {
  readonly parameters?: object;
  readonly signal?: AbortSignal;
}

/** Keeps the model busy; answers when it is. */
async function occupy(value = long): Promise<{ readonly running: Promise<Answer> }> {
  const before = asked.mock.calls.length;
  const running = infer(value);
  await expect.poll(() => asked.mock.calls.length).toBe(before + 1);
  return { running };
}

const metric = async (pattern: RegExp) =>
  Number(pattern.exec((await callAt(gateway.metricsPort, "/metrics")).text)?.[1]);
const queued = (count: number) =>
  expect.poll(() => metric(/^boardwalk_queue_depth\{[^}]*\} (\d+)$/m)).toBe(count);
const statistics = async () => (await call("/v2/models/m/stats")).json.model_stats[0];
/** How many rows were in the call that answered. */
const rowsOf = ({ json }: Answer): number =>
  json.outputs.find(({ name }: { name: string }) => name === "rows").data[0];

describe("requests that wait together", () => {
  it("80 share a call, and each gets its own row and id", async () => {
    await start({ instances: 1 });
    const { running } = await occupy();
    const answers = await Promise.all(Array.from({ length: 7 }, (_, index) => infer(index)));
    for (const [value, answer] of answers.entries()) {
      expect(answer.json).toMatchObject({
        id: `id-${value}`,
        outputs: [{ shape: [1, 2], data: [value, value] }, { data: [7] }],
      });
    }
    expect((await running).status).toBe(200);
    expect(await statistics()).toMatchObject({ inference_count: 8, execution_count: 2 });
  });

  it("81 never share a call across shapes", async () => {
    await start({ instances: 1 });
    await occupy();
    const answers = await Promise.all([
      infer(1),
      infer(2),
      infer(3, { width: 3 }),
      infer(4),
      infer(5),
    ]);
    expect(answers.map(rowsOf)).toEqual([2, 2, 1, 2, 2]);
  });

  it("82 lose nothing to one that is wrong", async () => {
    await start({ instances: 1 });
    await occupy();
    const others = [infer(1), infer(2)];
    const wrong = await call("/v2/models/m/infer", {
      body: '{"inputs":[{"name":"x","shape":[1,2],"datatype":"FP32","data":[1]}]}',
    });
    expect(wrong.status).toBe(400);
    for (const answer of await Promise.all(others)) expect(answer.status).toBe(200);
  });

  it("82 lose nothing to one that breaks the model", async () => {
    await start({ instances: 1 });
    await occupy();
    const answers = await Promise.all([infer(1), infer(unlucky), infer(2)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 500, 200]);
  });

  it("83 all fail when the model does, and are counted", async () => {
    await start({ instances: 1 });
    await occupy();
    const answers = await Promise.all([infer(unlucky), infer(unlucky), infer(unlucky)]);
    expect(answers.map(({ status }) => status)).toEqual([500, 500, 500]);
    const { inference_stats } = await statistics();
    expect(inference_stats).toMatchObject({ fail: { count: 3 }, success: { count: 1 } });
  });
});

describe("a queue", () => {
  it("84 refuses what it cannot hold, at once", async () => {
    await start({ instances: 1, maxQueueSize: 1 });
    const { running } = await occupy(veryLong);
    const waiting = infer(2);
    await queued(1);
    const refused = await infer(3);
    expect(refused).toMatchObject({ status: 503, json: { code: "QUEUE_FULL" } });
    expect(refused.headers["retry-after"]).toBe("1");
    expect(await metric(/^boardwalk_queue_depth\{[^}]*\} (\d+)$/m)).toBe(1);
    for (const answer of await Promise.all([running, waiting])) expect(answer.status).toBe(200);
  });

  it("85 refuses what waited too long, while the model is still busy", async () => {
    await start({ instances: 1 });
    let ended = false;
    const { running } = await occupy(veryLong);
    const done = running.then(() => {
      ended = true;
    });
    const late = await infer(2, { parameters: { timeout: 1000 } });
    expect(late).toMatchObject({ status: 503, json: { error: "Request timeout expired" } });
    expect(ended).toBe(false);
    await done;
    expect(await statistics()).toMatchObject({ inference_count: 1, execution_count: 1 });
  });

  it("86 lets the urgent pass", async () => {
    await start({ instances: 1, maxBatchSize: 1, priorityLevels: 2, defaultPriority: 2 });
    const ends: number[] = [];
    const noted = (value: number, options?: InferOptions) =>
      infer(value, options).then(() => ends.push(value));
    await occupy(veryLong);
    const usual = [noted(30), noted(40, { parameters: { priority: 2 } })];
    await queued(2);
    const urgent = noted(50, { parameters: { priority: 1 } });
    await queued(3);
    await Promise.all([...usual, urgent]);
    expect(ends).toEqual([50, 30, 40]);
  });

  it("87 forgets a request whose caller left", async () => {
    await start({ instances: 1, maxBatchSize: 1 });
    const { running } = await occupy(veryLong);
    const gone = new AbortController();
    const left = infer(2, { signal: gone.signal }).catch(() => "gone");
    await queued(1);
    gone.abort();
    await queued(0);
    expect(await left).toBe("gone");
    await running;
    await pause(50);
    expect(await statistics()).toMatchObject({ inference_count: 1, execution_count: 1 });
  });
});

describe("leaving", () => {
  it("88 is told first, ends what runs, and takes nothing new", async () => {
    await start({ instances: 1 });
    const { running } = await occupy();
    const close = "Host: localhost\r\nConnection: close\r\n";
    const body = JSON.stringify({
      inputs: [{ name: "x", shape: [1, 2], datatype: "FP32", data: [1, 1] }],
    });
    const requests = [
      `GET /v2/health/ready HTTP/1.1\r\n${close}\r\n`,
      `GET /v2/health/live HTTP/1.1\r\n${close}\r\n`,
      `POST /v2/models/m/infer HTTP/1.1\r\n${close}Content-Length: ${body.length}\r\n\r\n${body}`,
    ];
    // Begun before: a moment after it was told to leave, the gateway takes no connection.
    const ends = await Promise.all(requests.map((text) => begin(gateway.httpPort, text)));
    expect((await call("/v2/health/live")).status).toBe(200);
    const closed = gateway.close();
    const answers = await Promise.all(ends.map((end) => end()));
    expect(answers.map(({ statuses }) => statuses)).toEqual([[503], [200], [503]]);
    expect(answers[0]?.text).toContain('"ready":false');
    expect((await running).status).toBe(200);
    await closed;
    await expect(call("/v2/health/live")).rejects.toThrow();
  });
});
