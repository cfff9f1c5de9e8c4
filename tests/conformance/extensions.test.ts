import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RouteEndpoint } from "@/domain/routes";
import type { Gateway } from "@/gateway/gateway";
import { type CallOptions, callAt } from "@/tests/support/call";
import { startTestGateway } from "@/tests/support/gateway";
import { type RealBoard, startRealBoard } from "@/tests/support/real-board";
import { echo, realModels, serveRealModels } from "@/tests/support/real-models";
import { temperamentalModel, unlucky } from "@/tests/support/temperamental-model";

// The checklist's extensions, against a real board server.

let board: RealBoard;
let gateway: Gateway;
let endpoints: RouteEndpoint[];
let ring = (): void => {};
/** What the repository's keeper was told. */
const paused = new Map<string, boolean>();

const batched = (name: string, width: number, datatype: "FP32" | "FP16" | "INT64" = "FP32") => ({
  name,
  datatype,
  shape: [-1, width],
});

beforeAll(async () => {
  board = await startRealBoard();
  endpoints = await serveRealModels(board, [
    ...realModels,
    echo("classes", batched("x", 3), { maxBatchSize: 8, output: "scores" }),
    echo("halves", batched("x", 3, "FP16"), { maxBatchSize: 8, output: "scores" }),
    echo("counts", batched("x", 3, "INT64"), { maxBatchSize: 8, output: "scores" }),
    echo("column", batched("x", 1), { maxBatchSize: 8 }),
    temperamentalModel("moody", 8),
  ]);
  endpoints = endpoints.map((endpoint) => {
    if (endpoint.name !== "classes") return endpoint;
    const labels = { scores: ["cat", "dog", "owl"] };
    return { ...endpoint, revisions: endpoint.revisions.map((each) => ({ ...each, labels })) };
  });
  gateway = await startTestGateway(endpoints, {
    load: async () => ({
      endpoints: endpoints.map((each) =>
        paused.get(each.name) ? { ...each, state: "paused" as const } : each,
      ),
    }),
    listen: (onRing) => {
      ring = onRing;
      return { close: async () => {} };
    },
    control: {
      async setPaused(name, value) {
        if (!endpoints.some((each) => each.name === name)) return false;
        paused.set(name, value);
        setTimeout(ring, 50);
        return true;
      },
    },
    corsOrigins: ["https://lab.example:8443"],
  });
});
afterAll(async () => {
  await gateway.close();
  await board.close();
});

const call = (path: string, options?: CallOptions) => callAt(gateway.httpPort, path, options);
const post = (path: string, body: unknown) => call(path, { body: JSON.stringify(body) });
const infer = (model: string, data: number[], extra: object = {}) => {
  const spec = endpoints.find(({ name }) => name === model)?.revisions[0]?.inputs[0];
  const width = spec?.shape[1] ?? 1;
  return post(`/v2/models/${model}/infer`, {
    inputs: [
      { name: spec?.name, shape: [data.length / width, width], datatype: spec?.datatype, data },
    ],
    ...extra,
  });
};

describe("the repository", () => {
  it("71 lists every version with its state, asked with a body or without", async () => {
    for (const body of [undefined, "", "{}"]) {
      const answer = await call("/v2/repository/index", {
        method: "POST",
        ...(body === undefined ? {} : { body }),
      });
      expect(answer.status).toBe(200);
      expect(answer.json).toContainEqual({ name: "add", version: "2", state: "READY", reason: "" });
      expect(answer.json).toContainEqual(
        expect.objectContaining({ name: "loading", state: "LOADING" }),
      );
    }
    const ready = (await post("/v2/repository/index", { ready: true })).json;
    expect(ready.every(({ state }: { state: string }) => state === "READY")).toBe(true);
    expect((await call("/v2/repository/index", { method: "POST", body: "[" })).status).toBe(400);
  });

  it("72 unloads and loads, and is ready or not the moment it says so", async () => {
    for (const body of [undefined, "{}", '{"parameters":{"unload_dependents":true}}']) {
      const options = { method: "POST", ...(body === undefined ? {} : { body }) };
      const unloaded = await call("/v2/repository/models/single/unload", options);
      expect([unloaded.status, unloaded.json]).toEqual([200, { name: "single", unload: true }]);
      expect((await call("/v2/models/single/ready")).status).toBe(503);
      expect((await infer("single", [1, 2, 3, 4])).status).toBe(503);
      const loaded = await call("/v2/repository/models/single/load", options);
      expect([loaded.status, loaded.json]).toEqual([200, { name: "single", load: true }]);
      expect((await infer("single", [1, 2, 3, 4])).status).toBe(200);
    }
    const unknown = await call("/v2/repository/models/nope/load", { method: "POST" });
    expect(unknown.status).toBe(404);
    expect(unknown.json.error).toMatch(/^failed to load 'nope'/);
    expect((await call("/v2/repository/models/nope/unload", { method: "POST" })).status).toBe(404);
  });
});

describe("the model configuration", () => {
  it("75 prints every field that clients read, in the words of its protocol", async () => {
    const { json } = await call("/v2/models/add/config");
    expect(json).toMatchObject({
      name: "add",
      max_batch_size: 8,
      input: [
        { name: "a", data_type: "TYPE_FP32", dims: [4], optional: false, is_shape_tensor: false },
        { name: "b" },
      ],
      output: [{ name: "sum", dims: [4] }, { name: "difference" }],
      dynamic_batching: { preferred_batch_size: [8], max_queue_delay_microseconds: 0 },
      model_transaction_policy: { decoupled: false },
    });
    expect((await call("/v2/models/add/versions/1/config")).status).toBe(200);
    const text = (await call("/v2/models/echo_bytes/config")).json;
    expect(text).toMatchObject({
      max_batch_size: 0,
      input: [{ data_type: "TYPE_STRING", dims: [-1] }],
    });
    expect(text.dynamic_batching).toBeUndefined();
    expect((await call("/v2/models/nope/config")).status).toBe(404);
  });
});

describe("the statistics", () => {
  it("74 and 90 keep their invariants, and the metrics say the same", async () => {
    for (const rows of [1, 2, 1]) await infer("counts", Array(rows * 3).fill(1));
    expect((await post("/v2/models/counts/infer", {})).status).toBe(400);
    const { json } = await call("/v2/models/counts/stats");
    expect(json.model_stats).toHaveLength(1);
    const [stats] = json.model_stats;
    expect(stats).toMatchObject({
      name: "counts",
      version: "1",
      inference_count: 4,
      execution_count: 3,
    });
    expect(stats.last_inference).toBeGreaterThan(Date.now() - 60_000);
    const { success, fail, queue, compute_input, compute_infer, compute_output } =
      stats.inference_stats;
    expect(success.count).toBe(3);
    for (const each of [queue, compute_input, compute_infer, compute_output])
      expect(each.count).toBe(success.count);
    expect(fail.count).toBe(0);
    expect(success.ns).toBeGreaterThanOrEqual(queue.ns + compute_infer.ns);
    expect(
      stats.batch_stats.map((each: { batch_size: number; compute_infer: { count: number } }) => [
        each.batch_size,
        each.compute_infer.count,
      ]),
    ).toEqual([
      [1, 2],
      [2, 1],
    ]);
    const { text } = await callAt(gateway.metricsPort, "/metrics");
    const value = (name: string, labels: string) =>
      Number(new RegExp(`^${name}\\{${labels}\\} (\\S+)$`, "m").exec(text)?.[1]);
    const counts = 'model="counts",version="1"';
    expect(value("nv_inference_request_success", counts)).toBe(3);
    expect(value("nv_inference_count", counts)).toBe(4);
    expect(value("nv_inference_exec_count", counts)).toBe(3);
    expect(value("boardwalk_batch_size_count", counts)).toBe(3);
    expect(value("nv_inference_count", 'model="matrix",version="1"')).toBe(0);
    for (const line of text.trim().split("\n"))
      expect(line).toMatch(/^(# (HELP|TYPE) \S+ .+|[a-z_]+(\{[^{}]*\})? [0-9.e+-]+|.* NaN)$/);
  });

  it("74 list all versions, one model's, one version's", async () => {
    const names = async (path: string) =>
      (await call(path)).json.model_stats.map((each: { name: string; version: string }) => [
        each.name,
        each.version,
      ]);
    expect(await names("/v2/models/stats")).toContainEqual(["add", "1"]);
    expect(await names("/v2/models/add/stats")).toEqual([
      ["add", "1"],
      ["add", "2"],
    ]);
    expect(await names("/v2/models/add/versions/1/stats")).toEqual([["add", "1"]]);
    expect((await call("/v2/models/nope/stats")).status).toBe(404);
  });

  it("tell the last five minutes to whoever asks, in figures that agree with the totals", async () => {
    for (const rows of [2, 1]) await infer("halves", Array(rows * 3).fill(1));
    const [stats] = (await call("/v2/models/halves/stats?recent=true")).json.model_stats;
    const { recent, inference_stats, inference_count, execution_count } = stats;
    const sum = (of: string) =>
      recent.slots.reduce((total: number, slot: Record<string, number>) => total + slot[of]!, 0);
    expect(recent).toMatchObject({ slot_seconds: 2 });
    expect(recent.known_slots).toBeGreaterThan(0);
    expect(sum("success")).toBe(inference_stats.success.count);
    expect(sum("rows")).toBe(inference_count);
    expect(sum("calls")).toBe(execution_count);
    expect(sum("success")).toBeGreaterThanOrEqual(2);
    const buckets = recent.slots.flatMap(({ counts }: { counts: number[] }) => counts);
    expect(buckets.reduce((a: number, b: number) => a + b)).toBe(inference_stats.success.count);
    expect((await call("/v2/models/halves/stats")).json.model_stats[0].recent).toBeUndefined();
  });

  it("count a failure as a failure only", async () => {
    const input = { name: "x", shape: [1, 1], datatype: "FP32", data: [unlucky] };
    expect((await post("/v2/models/moody/infer", { inputs: [input] })).status).toBe(500);
    const [stats] = (await call("/v2/models/moody/stats")).json.model_stats;
    expect(stats.inference_stats.fail.count).toBe(1);
    expect(stats.inference_stats.compute_infer.count).toBe(stats.inference_stats.success.count);
  });
});

describe("classification", () => {
  const want = (count: unknown) => ({
    outputs: [{ name: "scores", parameters: { classification: count } }],
  });

  it("76 answers the best classes, the largest first, with their names", async () => {
    const { json } = await infer("classes", [0.25, 3, -1, 7, 7, 7], want(2));
    expect(json.outputs).toEqual([
      {
        name: "scores",
        datatype: "BYTES",
        shape: [2, 2],
        data: ["3.000000:1:dog", "0.250000:0:cat", "7.000000:0:cat", "7.000000:1:dog"],
      },
    ]);
    const counts = (await infer("counts", [5, -2, 9], want(9))).json;
    expect(counts.outputs[0]).toMatchObject({ shape: [1, 3], data: ["9:2", "5:0", "-2:1"] });
  });

  it("76 refuses counts that are none, and datatypes without an order of numbers", async () => {
    for (const count of [0, -1, 1.5, "2", true])
      expect((await infer("classes", [1, 2, 3], want(count))).status).toBe(400);
    const half = await infer("halves", [1, 2, 3], want(1));
    expect([half.status, half.json.error]).toEqual([400, expect.stringContaining("FP16")]);
  });
});

describe("V1", () => {
  const predict = (model: string, body: unknown, end = ":predict") =>
    post(`/v1/models/${model}${end}`, body);

  it("78 predicts rows, objects and columns", async () => {
    const rows = [
      [1, 2, 3, 4],
      [5, 6, 7, 8],
    ];
    expect((await predict("single", { instances: rows })).json).toEqual({ predictions: rows });
    expect((await predict("single", { inputs: rows }, "%3Apredict")).json).toEqual({
      predictions: rows,
    });
    expect((await predict("single", { instances: rows }, "/versions/1:predict")).status).toBe(200);
    const sums = [{ sum: [2, 2, 2, 2], difference: [0, 0, 0, 0] }];
    const ones = [1, 1, 1, 1];
    expect((await predict("add", { instances: [{ a: ones, b: ones }] })).json).toEqual({
      predictions: sums,
    });
    expect((await predict("add", { inputs: { a: [ones], b: [ones] } })).json).toEqual({
      predictions: sums,
    });
    expect((await predict("column", { instances: [1.5, 2] })).json).toEqual({
      predictions: [[1.5], [2]],
    });
  });

  it("78 takes bytes as base64", async () => {
    const { json } = await predict("echo_bytes", { instances: ["é", { b64: "aGk=" }] });
    expect(json).toEqual({ predictions: ["é", "hi"] });
    expect((await predict("echo_bytes", { instances: [{ b64: "***" }] })).status).toBe(400);
  });

  it.each([
    ["instances that are no list", { instances: 4 }, /^Expected "instances" to be a list/],
    ["no instances", { instances: [] }, /at least one instance/],
    ["nothing to predict", {}, /"instances" or "inputs"/],
    ["ragged rows", { instances: [[1, 2, 3, 4], [1]] }, /uneven/],
    ["a row too short", { instances: [[1, 2]] }, /unexpected shape/],
    ["text for numbers", { instances: [["a", "b", "c", "d"]] }, /x/],
    ["a column of a wrong name", { inputs: { z: [[1]] } }, /'z'/],
    ["rows with other keys", { instances: [{ x: [1, 2, 3, 4] }, { y: 1 }] }, /key/],
  ])("78 refuses %s", async (_, body, words) => {
    const answer = await predict("single", body);
    expect(answer.status).toBe(400);
    expect(answer.json.error).toMatch(words);
  });

  it("78 says what is not there", async () => {
    const broken = await call("/v1/models/single:predict", { body: '{"instances":' });
    expect(broken.status).toBe(400);
    expect(broken.json.error).toMatch(/^Unrecognized request format/);
    expect((await predict("nope", { instances: [1] })).status).toBe(404);
    expect((await predict("loading", { instances: [[1, 2, 3, 4]] })).status).toBe(503);
    expect((await predict("single", { instances: [1] }, ":explain")).status).toBe(501);
  });

  it("10 lists the same models, and says whether one is ready", async () => {
    expect((await call("/v1/models")).json).toEqual((await call("/v2/models")).json);
    expect((await call("/v1/models/single")).json).toEqual({ name: "single", ready: true });
    expect(await call("/v1/models/loading")).toMatchObject({
      status: 503,
      json: expect.objectContaining({ ready: false }),
    });
    expect((await call("/v1/models/nope")).status).toBe(404);
  });
});

describe("pages of other sites", () => {
  const from = (origin: string) => ({ headers: { origin } });

  it("79 may call when they are listed, and are told so", async () => {
    const asked = await call("/v2/models/single/infer", {
      method: "OPTIONS",
      headers: { origin: "https://lab.example:8443", "access-control-request-method": "POST" },
    });
    expect(asked.status).toBe(204);
    expect(asked.headers["access-control-allow-origin"]).toBe("https://lab.example:8443");
    expect(asked.headers["access-control-allow-headers"]).toContain(
      "inference-header-content-length",
    );
    const live = await call("/v2/health/live", from("https://lab.example:8443"));
    expect(live.status).toBe(200);
    expect(live.headers["access-control-expose-headers"]).toBe("Inference-Header-Content-Length");
  });

  it("79 may not otherwise", async () => {
    const options = { method: "OPTIONS", ...from("https://evil.example") };
    const asked = await call("/v2/models/single/infer", options);
    expect(asked.status).toBe(403);
    expect(asked.headers["access-control-allow-origin"]).toBeUndefined();
  });
});
