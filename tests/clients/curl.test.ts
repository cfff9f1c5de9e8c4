import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Gateway } from "@/gateway/gateway";
import { startWithModels } from "./gateway";

// The protocol's routes and bodies as a person with curl meets them: its content types, its `Expect`, its bare GETs.

let gateway: Gateway;

beforeAll(async () => {
  gateway = await startWithModels();
});
afterAll(() => gateway.close());

interface Answer {
  readonly status: number;
  readonly head: string;
  readonly body: Buffer;
  readonly json: () => unknown;
}

/** The head of an answer, one that says "continue" before it included. */
const heads = /^(HTTP\/1\.1 100[\s\S]*?\r\n\r\n)?HTTP\/1\.1 (\d+)[\s\S]*?\r\n\r\n/;

/** Runs curl with `stdin` as what `@-` names. */
async function curl(
  path: string,
  args: readonly string[] = [],
  stdin: string | Uint8Array = "",
): Promise<Answer> {
  const url = `http://127.0.0.1:${gateway.httpPort}${path}`;
  const running = promisify(execFile)("curl", ["-sS", "-i", ...args, url], { encoding: "buffer" });
  running.child.stdin?.end(stdin);
  const { stdout } = await running;
  const [head = "", , status] = heads.exec(stdout.toString("latin1")) ?? [];
  const body = stdout.subarray(head.length);
  return {
    status: Number(status),
    head: head.toLowerCase(),
    body,
    json: () => JSON.parse(body.toString()),
  };
}

const post = (path: string, body: string | Uint8Array, ...args: string[]) =>
  curl(path, ["--data-binary", "@-", ...args], body);

const row = (name: string, data: unknown) => ({ name, shape: [1, 4], datatype: "FP32", data });
const sum = JSON.stringify({
  id: "r1",
  inputs: [row("a", [1, 2, 3, 4]), row("b", [[0.5, 0.5, 0.5, 0.5]])],
  outputs: [{ name: "sum" }],
});
const addRoutes = ["/v2/models/add/infer", "/v2/models/add/versions/2/infer"];

describe("93 curl, the routes", () => {
  const anything = expect.anything();
  const tensor = (name: string) => ({ name, datatype: "FP32", shape: [-1, 4] });
  const add = {
    name: "add",
    platform: "onnx_onnxv1",
    inputs: [tensor("a"), tensor("b")],
    outputs: [tensor("sum"), tensor("difference")],
  };

  it.each([
    ["/v2/health/live", 200, { live: true }],
    ["/v2/health/live/", 200, { live: true }],
    ["/v2/health/ready", 200, { live: true, ready: true }],
    ["/v2", 200, { name: "boardwalk", version: anything, extensions: anything }],
    ["/v2/", 200, { name: "boardwalk", version: anything, extensions: anything }],
    ["/v2/models", 200, { models: expect.arrayContaining(["add", "echo_fp32"]) }],
    ["/v2/models/add", 200, { ...add, versions: ["1", "2"] }],
    ["/v2/models/add/versions/2", 200, { ...add, versions: ["2"] }],
    ["/v2/models/add/ready", 200, { name: "add", ready: true }],
    ["/v2/models/add/versions/1/ready", 200, { name: "add", ready: true }],
    ["/v2/models/loading/ready", 503, { name: "loading", ready: false, error: anything }],
    ["/v2/models/nope/ready", 404, { error: anything }],
    ["/v2/models/nope", 404, { error: anything }],
    ["/v2/models/add/versions/9", 404, { error: anything }],
    ["/v2/models/add/config", 200, { name: "add", max_batch_size: 8 }],
    ["/v2/models/stats", 200, { model_stats: anything }],
    ["/v2/models/add/stats", 200, { model_stats: [{ version: "1" }, { version: "2" }] }],
    ["/v2/nope", 404, { error: "Not Found" }],
    ["/v2/models/add/infer", 405, { error: "Method Not Allowed" }],
    ["/v2/trace/setting", 501, { error: anything }],
    ["/v2/logging", 501, { error: anything }],
    ["/v2/systemsharedmemory/status", 501, { error: anything }],
  ])("GET %s answers %i", async (path, status, body) => {
    const answer = await curl(path);
    expect(answer.status).toBe(status);
    expect(answer.head).toMatch(/^content-type: application\/json\r?$/m);
    expect(answer.json()).toMatchObject(body);
  });

  it("says which method a route takes", async () => {
    expect((await curl("/v2/models/add/infer")).head).toMatch(/^allow: .*post/m);
  });

  it("answers HEAD on health without a body", async () => {
    const answer = await curl("/v2/health/ready", ["--head"]);
    expect([answer.status, answer.body.length]).toEqual([200, 0]);
  });

  it("lists, unloads and loads models by a POST without a body", async () => {
    const index = await curl("/v2/repository/index", ["-X", "POST"]);
    expect(index.json()).toContainEqual(
      expect.objectContaining({ name: "add", version: "2", state: "READY" }),
    );
    const unload = await curl("/v2/repository/models/scalar/unload", ["-X", "POST"]);
    expect([unload.status, unload.json()]).toEqual([200, { name: "scalar", unload: true }]);
    expect((await curl("/v2/models/scalar/ready")).status).toBe(503);
    const load = await post("/v2/repository/models/scalar/load", "{}");
    expect([load.status, load.json()]).toEqual([200, { name: "scalar", load: true }]);
    expect((await curl("/v2/models/scalar/ready")).status).toBe(200);
  });
});

describe("93 curl, the bodies", () => {
  it.each(addRoutes)("POST %s takes JSON under curl's own content type", async (path) => {
    const answer = await curl(path, ["-d", sum]);
    expect([answer.status, answer.json()]).toEqual([
      200,
      {
        model_name: "add",
        model_version: "2",
        id: "r1",
        outputs: [{ name: "sum", shape: [1, 4], datatype: "FP32", data: [1.5, 2.5, 3.5, 4.5] }],
      },
    ]);
  });

  it.each([
    ["INT64", [-1, "-9223372036854775808", "9223372036854775807"]],
    ["UINT64", [0, 1, "18446744073709551615"]],
    ["FP16", [0.5, -2, 65504]],
    ["FP32", [0.1, "-0.0", '"NaN"']],
    ["BOOL", [true, false, true]],
    ["BYTES", ['""', '"é"', '"plain"']],
  ])("gives %s back digit for digit", async (datatype, values) => {
    const data = values.join(",");
    const input = `{"name":"x","shape":[3],"datatype":"${datatype}","data":[${data}]}`;
    const answer = await post(
      `/v2/models/echo_${datatype.toLowerCase()}/infer`,
      `{"inputs":[${input}]}`,
    );
    expect(answer.body.toString()).toContain(`"data":[${data}]`);
    expect(answer.json()).toMatchObject({ id: expect.stringMatching(/./) });
  });

  it("takes and gives tensors as bytes after the JSON", async () => {
    const blob = Buffer.from(Float32Array.of(1, -2, 3).buffer);
    const head = JSON.stringify({
      inputs: [{ name: "x", shape: [3], datatype: "FP32", parameters: { binary_data_size: 12 } }],
      parameters: { binary_data_output: true },
    });
    const answer = await post(
      "/v2/models/echo_fp32/infer",
      Buffer.concat([Buffer.from(head), blob]),
      "-H",
      `Inference-Header-Content-Length: ${head.length}`,
    );
    expect(answer.status).toBe(200);
    const length = Number(/^inference-header-content-length: (\d+)/m.exec(answer.head)?.[1]);
    expect(JSON.parse(answer.body.toString("utf8", 0, length))).toMatchObject({
      outputs: [{ name: "y", shape: [3], parameters: { binary_data_size: 12 } }],
    });
    expect(answer.body.subarray(length)).toEqual(blob);
  });

  it("takes a file as the whole tensor, and answers in JSON if that is asked for", async () => {
    const answer = await post(
      "/v2/models/echo_fp32/infer",
      Buffer.from(Float32Array.of(4, 5).buffer),
      ...["-H", "Inference-Header-Content-Length: 0"],
      ...["-H", "Accept: application/json"],
    );
    expect(answer.json()).toMatchObject({ outputs: [{ name: "y", shape: [2], data: [4, 5] }] });
  });

  it("takes a compressed body, and a body in chunks", async () => {
    const path = addRoutes[0] ?? "";
    const zipped = await post(path, gzipSync(sum), "-H", "Content-Encoding: gzip");
    expect(zipped.status).toBe(200);
    expect((await post(path, sum, "-H", "Transfer-Encoding: chunked")).status).toBe(200);
    const other = await post(path, sum, "-H", "Content-Encoding: br");
    expect(other.status).toBe(415);
    expect(other.head).toMatch(/^accept-encoding: gzip, deflate\r?$/m);
  });

  it("takes a body that curl announces first", async () => {
    const answer = await post(addRoutes[0] ?? "", sum, "-H", "Expect: 100-continue");
    expect(answer.head).toMatch(/^http\/1.1 100 continue/);
    expect(answer.status).toBe(200);
  });

  it.each([
    ["no JSON", "{"],
    ["nothing", ""],
    ["no inputs", "{}"],
    ["a missing input", JSON.stringify({ inputs: [row("a", [1, 2, 3, 4])] })],
    ["too few values", JSON.stringify({ inputs: [row("a", [1]), row("b", [1, 2, 3, 4])] })],
  ])("refuses %s with an error in JSON", async (_, body) => {
    const answer = await post(addRoutes[0] ?? "", body);
    expect(answer.status).toBe(400);
    expect(answer.head).toMatch(/^content-type: application\/json\r?$/m);
    expect(answer.json()).toMatchObject({ error: expect.stringMatching(/./) });
  });
});
