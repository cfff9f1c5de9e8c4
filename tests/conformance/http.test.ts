import { connect } from "node:net";
import { deflateRawSync, deflateSync, gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RouteEndpoint } from "@/domain/routes";
import type { Gateway } from "@/gateway/gateway";
import { datatypes } from "@/lib/common/tensor";
import { type Answer, type CallOptions, callAt } from "@/tests/support/call";
import { startTestGateway } from "@/tests/support/gateway";
import { exchange } from "@/tests/support/raw";
import { type RealBoard, startRealBoard } from "@/tests/support/real-board";
import { serveRealModels } from "@/tests/support/real-models";

// The checklist over HTTP, against a real board server with real sessions of ONNX Runtime. Titles begin with the number.

let board: RealBoard;
let endpoints: RouteEndpoint[];
let gateway: Gateway;
let based: Gateway;
const options = { allowedHosts: ["portal.test:3000"], maxBodyBytes: 1024 * 1024 };

beforeAll(async () => {
  board = await startRealBoard();
  endpoints = await serveRealModels(board);
  gateway = await startTestGateway(endpoints, options);
  based = await startTestGateway(endpoints, { ...options, basePath: "/serve" });
}, 120_000);
afterAll(async () => {
  await gateway.close();
  await based.close();
  await board.close();
});

interface Call extends CallOptions {
  readonly port?: number;
}

const call = (path: string, { port, ...options }: Call = {}): Promise<Answer> =>
  callAt(port ?? gateway.httpPort, path, options);

const infer = (model: string, body: unknown, headers: Record<string, string> = {}) =>
  call(`/v2/models/${model}/infer`, {
    headers,
    body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
  });

const input = (datatype: string, shape: number[], data: unknown) => ({
  inputs: [{ name: "x", shape, datatype, data }],
});

const fp32 = (...values: number[]) => Buffer.from(Float32Array.from(values).buffer);

/** JSON and blobs in one body, with the header that says where the JSON ends. */
function mixed(json: unknown, ...blobs: Uint8Array[]) {
  const head = Buffer.from(JSON.stringify(json));
  return {
    body: Buffer.concat([head, ...blobs]),
    headers: { "Inference-Header-Content-Length": String(head.length) },
  };
}

/** Splits an answer into its JSON and its blobs, as tritonclient does. */
function split(answer: Answer) {
  const length = Number(answer.headers["inference-header-content-length"]);
  return {
    json: JSON.parse(answer.bytes.subarray(0, length).toString()),
    rest: answer.bytes.subarray(length),
  };
}

const addInputs = (rows = 1, other = rows) => [
  { name: "a", shape: [rows, 4], datatype: "FP32", data: new Array(rows * 4).fill(3) },
  { name: "b", shape: [other, 4], datatype: "FP32", data: new Array(other * 4).fill(1) },
];

function expectError(answer: Answer, status: number, text: RegExp): void {
  expect({ status: answer.status, text: answer.text }).toEqual({
    status,
    text: expect.stringMatching(text),
  });
  expect(answer.headers["content-type"]).toBe("application/json");
  expect(typeof answer.json.error).toBe("string");
}

describe("health and metadata", () => {
  it("1 is live", async () => {
    const answer = await call("/v2/health/live");
    expect([answer.status, answer.json.live]).toEqual([200, true]);
    expect(answer.headers["content-type"]).toBe("application/json");
  });

  it("2 is ready", async () => {
    const answer = await call("/v2/health/ready");
    expect([answer.status, answer.json]).toEqual([200, { live: true, ready: true }]);
  });

  it("3 tells what it is, with and without the slash", async () => {
    const answers = await Promise.all([call("/v2"), call("/v2/")]);
    expect(answers[0]?.json).toEqual(answers[1]?.json);
    expect(answers[0]?.json).toMatchObject({ name: "boardwalk", extensions: expect.any(Array) });
  });

  it("4 shows shapes with the batch dimension", async () => {
    const { json } = await call("/v2/models/add");
    expect(json.name).toBe("add");
    expect(json.platform).toBe("onnx_onnxv1");
    expect(json.inputs[0]).toEqual({ name: "a", datatype: "FP32", shape: [-1, 4] });
  });

  it("5 lists versions as text", async () => {
    expect((await call("/v2/models/add")).json.versions).toEqual(["1", "2"]);
    expect((await call("/v2/models/add/versions/1")).json.versions).toEqual(["1"]);
  });

  it("6 says that a model is ready", async () => {
    for (const path of ["/v2/models/add/ready", "/v2/models/add/versions/1/ready"]) {
      const answer = await call(path);
      expect([answer.status, answer.json]).toEqual([200, { name: "add", ready: true }]);
    }
  });

  it.each(["", "/ready"])("7 answers 404 for an unknown model%s", async (end) => {
    expectError(await call(`/v2/models/nope${end}`), 404, /Request for unknown model/);
  });

  it("7 answers 404 for an unknown model even with a bad body", async () => {
    expectError(await infer("nope", "{"), 404, /Request for unknown model: 'nope'/);
  });

  it("8 answers 404 for an unknown version and 400 for none at all", async () => {
    expectError(await call("/v2/models/add/versions/99"), 404, /version 99.*1, 2/);
    expectError(await call("/v2/models/add/versions/abc"), 400, /positive number/);
    expectError(await infer("add/versions/99", { inputs: addInputs() }), 404, /99/);
  });

  it.each(["loading", "failed"])("9 answers 503 for a model that is %s", async (name) => {
    const ready = await call(`/v2/models/${name}/ready`);
    expectError(ready, 503, /not ready/);
    expect(ready.json).toMatchObject({ name, ready: false });
    expect(ready.headers["retry-after"]).toBe(name === "loading" ? "2" : undefined);
    expectError(await infer(name, input("FP32", [1, 4], [1, 2, 3, 4])), 503, /not ready/);
  });

  it("10 lists models", async () => {
    expect((await call("/v2/models")).json.models).toContain("add");
  });

  it("11 answers unknown paths and methods in JSON, and HEAD without a body", async () => {
    expectError(await call("/nope"), 404, /Not Found/);
    expectError(await call("/v2/models/add/nope"), 404, /Not Found/);
    const wrong = await call("/v2/models/add/infer");
    expectError(wrong, 405, /Method Not Allowed/);
    expect(wrong.headers["allow"]).toBe("POST");
    const posted = await call("/v2/health/live", { body: "{}" });
    expectError(posted, 405, /Method Not Allowed/);
    expect(posted.headers["allow"]).toBe("GET, HEAD");
    const head = await call("/v2/health/live", { method: "HEAD" });
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
  });

  it("12 ignores query parameters and works below a base path", async () => {
    expect((await call("/v2/models/add?x=1")).status).toBe(200);
    expect((await call("/serve/v2/models/add", { port: based.httpPort })).status).toBe(200);
    expect((await call("/v2/models/add", { port: based.httpPort })).status).toBe(404);
  });

  it("13 greets machines with a word and people with the portal", async () => {
    const machine = await call("/", { headers: { accept: "*/*" } });
    expect([machine.json, machine.headers["vary"]]).toEqual([{ status: "alive" }, "Accept"]);
    const person = await call("/", { headers: { accept: "text/html,*/*" } });
    expect([person.status, person.headers["location"], person.headers["vary"]]).toEqual([
      302,
      "http://portal.test:3000",
      "Accept",
    ]);
  });

  it.each([
    "/v2/repository/other/index",
    "/v2/trace/setting",
    "/v2/logging",
    "/v2/systemsharedmemory/status",
    "/v2/models/add/generate",
    "/v1/models/add:explain",
  ])("77 answers 501 for %s", async (path) => {
    expectError(await call(path), 501, /not supported/);
  });
});

describe("JSON inference", () => {
  it.each([undefined, "application/octet-stream", "application/x-www-form-urlencoded"])(
    "14 reads JSON whatever the content type %s says",
    async (type) => {
      const headers: Record<string, string> = type === undefined ? {} : { "content-type": type };
      const answer = await infer("echo_fp32", input("FP32", [1], [0.5]), headers);
      expect([answer.status, answer.json.outputs[0].data]).toEqual([200, [0.5]]);
      expect(answer.headers["content-type"]).toBe("application/json");
    },
  );

  it("15 takes flat and nested data alike and answers flat", async () => {
    const flat = await infer("matrix", input("FP32", [2, 2], [1, 2, 3, 4]));
    const nested = await infer(
      "matrix",
      input(
        "FP32",
        [2, 2],
        [
          [1, 2],
          [3, 4],
        ],
      ),
    );
    expect(flat.json.outputs).toEqual(nested.json.outputs);
    expect(flat.json.outputs[0].data).toEqual([1, 2, 3, 4]);
  });

  it("16 echoes ids and makes one where there is none", async () => {
    const body = input("FP32", [1], [1]);
    expect((await infer("echo_fp32", { id: "Ω-1", ...body })).json.id).toBe("Ω-1");
    for (const id of [undefined, ""]) {
      expect((await infer("echo_fp32", { id, ...body })).json.id).toMatch(/^.+$/);
    }
  });

  it("17 names model, version and outputs, without parameters", async () => {
    const { json } = await infer("add", { inputs: addInputs() });
    expect(json).toEqual({
      model_name: "add",
      model_version: "2",
      id: expect.any(String),
      outputs: [
        { name: "sum", shape: [1, 4], datatype: "FP32", data: [4, 4, 4, 4] },
        { name: "difference", shape: [1, 4], datatype: "FP32", data: [2, 2, 2, 2] },
      ],
    });
    expect((await infer("add/versions/1", { inputs: addInputs() })).json.model_version).toBe("1");
  });

  it("18 ignores a model_name in the body", async () => {
    const answer = await infer("echo_fp32", { model_name: "no", ...input("FP32", [1], [1]) });
    expect(answer.json.model_name).toBe("echo_fp32");
  });

  it("19 selects and orders outputs", async () => {
    const names = async (outputs: unknown) =>
      (await infer("add", { inputs: addInputs(), outputs })).json.outputs.map(
        (output: { name: string }) => output.name,
      );
    expect(await names([{ name: "difference" }])).toEqual(["difference"]);
    expect(await names([{ name: "difference" }, { name: "sum" }])).toEqual(["difference", "sum"]);
    expect(await names([])).toEqual(["sum", "difference"]);
  });

  it.each([
    ["INT64", "9223372036854775807,-9223372036854775808"],
    ["UINT64", "18446744073709551615"],
  ])("20 carries %s digit for digit", async (datatype, data) => {
    const body = `{"inputs":[{"name":"x","shape":[${data.split(",").length}],"datatype":"${datatype}","data":[${data}]}]}`;
    const answer = await infer(`echo_${datatype.toLowerCase()}`, body);
    expect(answer.text).toContain(`"data":[${data}]`);
  });

  it.each([
    ["INT8", "128"],
    ["UINT8", "-1"],
    ["UINT64", "18446744073709551616"],
    ["INT32", "1.5"],
    ["INT32", '"1"'],
    ["INT32", "true"],
    ["BOOL", "2"],
    ["FP16", "65520"],
  ])("21 to 25 refuse %s %s, naming input and element", async (datatype, value) => {
    const body = `{"inputs":[{"name":"x","shape":[2],"datatype":"${datatype}","data":[0,${value}]}]}`;
    const answer = await infer(`echo_${datatype.toLowerCase()}`, body);
    expectError(answer, 400, /element 1 of input 'x'/);
  });

  it.each([
    ["INT32", "[1.0,1e2]", "[1,100]"],
    ["BOOL", "[true,false,0,1]", "[true,false,false,true]"],
    ["FP32", "[0.1,-0.0,1e-45]", "[0.1,-0.0,1e-45]"],
    ["FP64", "[0.1,5e-324]", "[0.1,5e-324]"],
    // The exact value: who reads doubles has it as well.
    ["FP16", "[65504,1.00048828125]", "[65504,1]"],
    ["BF16", "[1.0,0.1]", "[1,0.10009765625]"],
    [
      "FP32",
      '[NaN,Infinity,-Infinity,"NaN","Infinity","-Infinity",null]',
      '["NaN","Infinity","-Infinity","NaN","Infinity","-Infinity","NaN"]',
    ],
    ["BYTES", '["é","😀",""]', '["é","😀",""]'],
  ])("22 to 27 take %s %s", async (datatype, data, expected) => {
    const count = data.split(",").length;
    const body = `{"inputs":[{"name":"x","shape":[${count}],"datatype":"${datatype}","data":${data}}]}`;
    const answer = await infer(`echo_${datatype.toLowerCase()}`, body);
    expect(answer.text).toContain(`"data":${expected}`);
    JSON.parse(answer.text);
  });

  it("27 refuses BYTES that are no text, which the runtime does not carry", async () => {
    const parameters = { binary_data_size: 5 };
    const inputs = [{ name: "x", shape: [1], datatype: "BYTES", parameters }];
    const { body, headers } = mixed({ inputs }, Uint8Array.of(1, 0, 0, 0, 0xff));
    expectError(
      await infer("echo_bytes", body, headers),
      400,
      /element 0 of input 'x' is no UTF-8/,
    );
  });

  it("28 and 29 take empty tensors and scalars", async () => {
    const empty = await infer("matrix", input("FP32", [0, 4], []));
    expect(empty.json.outputs[0]).toMatchObject({ shape: [0, 4], data: [] });
    const scalar = await infer("scalar", input("FP32", [], 2.5));
    expect(scalar.json.outputs[0]).toMatchObject({ shape: [], data: [2.5] });
  });

  it.each(["STRING", "fp32", "FLOAT"])("30 refuses the datatype %s", async (datatype) => {
    expectError(await infer("echo_fp32", input(datatype, [1], [1])), 400, /datatype/);
  });

  it("30 refuses a datatype that is not the model's", async () => {
    const answer = await infer("echo_fp32", input("FP64", [1], [1]));
    expectError(answer, 400, /data-type is 'FP64', but model 'echo_fp32' expects 'FP32'/);
  });

  it.each([
    [[1, 2], [1]],
    [
      [2, 2],
      [[1, 2], [3]],
    ],
    [[2], [1, 2, 3]],
  ])("31 refuses shape %j with data %j", async (shape, data) => {
    expectError(await infer("matrix", input("FP32", shape, data)), 400, /elements|unevenly/);
  });

  it.each([
    [[4], /Expected \[-1,4\], got \[4\].*batch dimension is missing/],
    [[1, 2], /Expected \[-1,4\], got \[1,2\]/],
    [[1, 1, 4], /Expected \[-1,4\], got \[1,1,4\]/],
  ])("32 refuses the shape %j", async (shape, text) => {
    const count = shape.reduce((a, b) => a * b, 1);
    const answer = await infer("single", input("FP32", shape, new Array(count).fill(1)));
    expectError(answer, 400, text);
  });

  it("33 holds the batch limits", async () => {
    expectError(await infer("add", { inputs: addInputs(9) }), 400, /batch-size must be <= 8/);
    expectError(await infer("add", { inputs: addInputs(2, 1) }), 400, /batch size/);
    expectError(await infer("add", { inputs: addInputs(0) }), 400, /batch-size must be > 0/);
    expect((await infer("add", { inputs: addInputs(8) })).status).toBe(200);
  });

  it("34 names missing, unknown and duplicate tensors", async () => {
    const [a, b] = addInputs();
    const wrong = async (inputs: unknown, outputs: unknown, text: RegExp) =>
      expectError(await infer("add", { inputs, outputs }), 400, text);
    await wrong([a], [], /missing required input\(s\) \['b'\]/);
    await wrong([a, b, { ...b, name: "c" }], [], /unexpected inference input 'c'/);
    await wrong([a, b, b], [], /'b' is given more than once/);
    await wrong([a, b], [{ name: "z" }], /unexpected inference output 'z'/);
    await wrong([a, b], [{ name: "sum" }, { name: "sum" }], /'sum' is requested more than once/);
  });

  it.each([
    ["{", /byte 1/],
    ["", /empty/],
    ["[]", /not an object/],
    ['{"inputs":{}}', /must be an array/],
    ["{}", /no 'inputs'/],
    ['{"inputs":[{"name":"x","shape":[-1],"datatype":"FP32","data":[1]}]}', /non-negative/],
    ['{"inputs":[{"name":"x","shape":["1"],"datatype":"FP32","data":[1]}]}', /non-negative/],
    [`{"a":${"[".repeat(100)}${"]".repeat(100)},"inputs":[]}`, /deeper/],
    ['{"parameters":{"a":{"b":1}},"inputs":[]}', /parameter 'a'/],
  ])("35 and 37 refuse %s", async (body, text) => {
    expectError(await infer("echo_fp32", body), 400, text);
  });

  it("36 accepts parameters that it does not know", async () => {
    const parameters = { a: 1, triton_enable_empty_final_response: true, priority: 0 };
    const answer = await infer("echo_fp32", { parameters, ...input("FP32", [1], [1]) });
    expect(answer.status).toBe(200);
  });
});

describe("binary tensors", () => {
  const binary = (name: string, shape: number[], size: number, extra = {}) => ({
    name,
    shape,
    datatype: "FP32",
    parameters: { binary_data_size: size },
    ...extra,
  });
  const a = binary("a", [1, 4], 16);
  const b = binary("b", [1, 4], 16);

  it.each(["Inference-Header-Content-Length", "inference-header-content-length"])(
    "38 reads blobs, the header being %s",
    async (name) => {
      const { body, headers } = mixed({ inputs: [a, b] }, fp32(1, 2, 3, 4), fp32(1, 1, 1, 1));
      const value = headers["Inference-Header-Content-Length"];
      const answer = await infer("add", body, { [name]: value });
      expect(answer.json.outputs[0].data).toEqual([2, 3, 4, 5]);
    },
  );

  it("39 mixes JSON and blobs in either order", async () => {
    const [left, right] = addInputs();
    const first = mixed({ inputs: [left, b] }, fp32(1, 2, 3, 4));
    const second = mixed({ inputs: [a, right] }, fp32(1, 2, 3, 4));
    const answers = [
      await infer("add", first.body, first.headers),
      await infer("add", second.body, second.headers),
    ];
    expect(answers.map(({ json }) => json.outputs[0].data)).toEqual([
      [4, 5, 6, 7],
      [2, 3, 4, 5],
    ]);
  });

  it("40 refuses a missing or impossible header", async () => {
    const { body } = mixed({ inputs: [a, b] }, fp32(1, 2, 3, 4), fp32(1, 1, 1, 1));
    expectError(await infer("add", JSON.stringify({ inputs: [a, b] })), 400, /binary_data_size/);
    for (const value of ["100000", "-1", "abc", "1e3", "1099511627776", "9".repeat(20)]) {
      const answer = await infer("add", body, { "Inference-Header-Content-Length": value });
      expectError(answer, 400, /Inference-Header-Content-Length/);
    }
  });

  it.each([
    [31, /expecting 1 additional bytes/],
    [33, /additional input data/],
  ])("41 refuses %i bytes instead of 32", async (size, text) => {
    const { body, headers } = mixed({ inputs: [a, b] }, new Uint8Array(size));
    expectError(await infer("add", body, headers), 400, text);
  });

  it("41 refuses a size that is not the shape's", async () => {
    const small = binary("x", [1, 4], 12);
    const { body, headers } = mixed({ inputs: [small] }, new Uint8Array(12));
    expectError(await infer("single", body, headers), 400, /input byte size mismatch/);
  });

  it("42 answers with blobs in the order of the outputs", async () => {
    const answer = await infer("add", {
      inputs: addInputs(),
      parameters: { binary_data_output: true },
    });
    const { json, rest } = split(answer);
    expect(answer.headers["content-type"]).toBe("application/octet-stream");
    expect(answer.headers["content-length"]).toBe(String(answer.bytes.length));
    expect(json.outputs.map((output: { parameters: unknown }) => output.parameters)).toEqual([
      { binary_data_size: 16 },
      { binary_data_size: 16 },
    ]);
    expect(rest).toEqual(Buffer.concat([fp32(4, 4, 4, 4), fp32(2, 2, 2, 2)]));
  });

  it("43 answers listed outputs in JSON unless they say otherwise", async () => {
    const answer = await infer("add", {
      inputs: addInputs(),
      outputs: [{ name: "sum" }],
      parameters: { binary_data_output: true },
    });
    expect(answer.json.outputs[0].data).toEqual([4, 4, 4, 4]);
  });

  it("44 mixes forms in one answer", async () => {
    const answer = await infer("add", {
      inputs: addInputs(),
      outputs: [
        { name: "sum", parameters: { binary_data: true } },
        { name: "difference", parameters: { binary_data: false } },
      ],
    });
    const { json, rest } = split(answer);
    expect(json.outputs[1].data).toEqual([2, 2, 2, 2]);
    expect(rest).toEqual(fp32(4, 4, 4, 4));
  });

  it("45 takes and gives empty blobs", async () => {
    const empty = binary("x", [0, 4], 0, { data: null });
    const answer = await infer("matrix", {
      inputs: [empty],
      parameters: { binary_data_output: true },
    });
    expect(answer.headers["inference-header-content-length"]).toBeUndefined();
    expect(answer.headers["content-type"]).toBe("application/json");
    expect(answer.json.outputs[0]).toEqual({
      name: "y",
      shape: [0, 4],
      datatype: "FP32",
      parameters: { binary_data_size: 0 },
    });
  });

  it("46 carries BYTES of any length, and refuses broken prefixes", async () => {
    const elements = ["", "a", "b".repeat(70_000)].map((text) => Buffer.from(text));
    const blob = Buffer.concat(
      elements.flatMap((element) => {
        const prefix = Buffer.alloc(4);
        prefix.writeUInt32LE(element.length);
        return [prefix, element];
      }),
    );
    const send = (bytes: Uint8Array, count: number) => {
      const parameters = { binary_data_size: bytes.length };
      const { body, headers } = mixed(
        {
          inputs: [{ name: "x", shape: [count], datatype: "BYTES", parameters }],
          parameters: { binary_data_output: true },
        },
        bytes,
      );
      return infer("echo_bytes", body, headers);
    };
    expect(split(await send(blob, 3)).rest).toEqual(blob);
    expectError(await send(blob.subarray(0, 2), 1), 400, /cut off/);
    expectError(await send(Uint8Array.of(9, 0, 0, 0, 1), 1), 400, /past the end/);
    expectError(await send(blob, 2), 400, /more than the 2/);
  });

  it.each([
    ["FP16", () => false],
    // The runtime writes every NaN of bfloat16 in one way.
    ["BF16", (bits: number) => (bits & 0x7fff) > 0x7f80],
  ])("47 carries %s bit for bit", async (datatype, isNan) => {
    const bytes = Buffer.alloc(2 * 65_536);
    for (let bits = 0; bits < 65_536; bits++) bytes.writeUInt16LE(bits, 2 * bits);
    const { body, headers } = mixed(
      {
        inputs: [
          { name: "x", shape: [65_536], datatype, parameters: { binary_data_size: bytes.length } },
        ],
        parameters: { binary_data_output: true },
      },
      bytes,
    );
    const answer = await infer(`echo_${datatype.toLowerCase()}`, body, headers);
    const { rest } = split(answer);
    for (let bits = 0; bits < 65_536; bits++) {
      const back = rest.readUInt16LE(2 * bits);
      if (!isNan(bits)) expect(back).toBe(bits);
      else expect(isNan(back)).toBe(true);
    }
  });

  it("48 takes the header where all of the body is JSON", async () => {
    const { body, headers } = mixed(input("FP32", [1], [1]));
    expect((await infer("echo_fp32", body, headers)).status).toBe(200);
  });

  it("49 counts the JSON in bytes", async () => {
    const json = { id: "ü😀", inputs: [binary("x", [1], 4)] };
    const { body, headers } = mixed(json, fp32(7));
    const answer = await infer("echo_fp32", body, headers);
    expect([answer.json.id, answer.json.outputs[0].data]).toEqual(["ü😀", [7]]);
  });

  it("50 takes raw requests where they are plain, with JSON answers on demand", async () => {
    const raw = { "Inference-Header-Content-Length": "0" };
    const answer = await infer("single", fp32(1, 2, 3, 4), raw);
    expect(split(answer).rest).toEqual(fp32(1, 2, 3, 4));
    expect(split(answer).json.outputs[0].shape).toEqual([1, 4]);
    const json = await infer("single", fp32(1, 2, 3, 4), { ...raw, accept: "application/json" });
    expect(json.json.outputs[0].data).toEqual([1, 2, 3, 4]);
    expectError(await infer("add", fp32(1, 2, 3, 4), raw), 400, /one input/);
    expectError(await infer("matrix", fp32(1, 2, 3, 4), raw), 400, /raw request/);
    expectError(await infer("single", fp32(1, 2, 3), raw), 400, /raw request/);
  });

  it("carries one value of each datatype that JSON can name", async () => {
    for (const datatype of Object.keys(datatypes)) {
      const data = datatype === "BYTES" ? ["1"] : datatype === "BOOL" ? [true] : [1];
      const answer = await infer(`echo_${datatype.toLowerCase()}`, input(datatype, [1], data));
      expect(answer.json.outputs[0]).toEqual({ name: "y", shape: [1], datatype, data });
    }
  });
});

describe("compression and limits", () => {
  const body = Buffer.from(JSON.stringify(input("FP32", [2], [1, 2])));

  it.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["deflate", deflateRawSync],
  ])("51 reads %s bodies, JSON and mixed", async (encoding, pack) => {
    const headers = { "content-encoding": encoding };
    const json = await infer("echo_fp32", pack(body), headers);
    expect(json.json.outputs[0].data).toEqual([1, 2]);
    const both = mixed(
      {
        inputs: [{ name: "x", shape: [1], datatype: "FP32", parameters: { binary_data_size: 4 } }],
      },
      fp32(9),
    );
    const answer = await infer("echo_fp32", pack(both.body), { ...headers, ...both.headers });
    expect(answer.json.outputs[0].data).toEqual([9]);
  });

  it("51 refuses what it cannot decode, and bombs", async () => {
    const unknown = await infer("echo_fp32", body, { "content-encoding": "br" });
    expectError(unknown, 415, /not known/);
    expect(unknown.headers["accept-encoding"]).toBe("gzip, deflate");
    const gzip = { "content-encoding": "gzip" };
    expectError(await infer("echo_fp32", gzipSync(body).subarray(0, 20), gzip), 400, /gzip/);
    expectError(await infer("echo_fp32", Buffer.from("no gzip at all"), gzip), 400, /gzip/);
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x20));
    expectError(await infer("echo_fp32", bomb, gzip), 413, /larger than/);
  });

  it("52 compresses answers of inferences only", async () => {
    const accept = { "accept-encoding": "br;q=1, deflate;q=0.5, gzip;q=0.8" };
    const many = input("FP32", [1000], new Array(1000).fill(0.5));
    const answer = await infer("echo_fp32", many, accept);
    expect(answer.headers["content-encoding"]).toBe("gzip");
    expect(answer.headers["vary"]).toBe("Accept-Encoding");
    expect(JSON.parse(gunzipSync(answer.bytes).toString()).outputs[0].data).toHaveLength(1000);
    const binary = await infer(
      "echo_fp32",
      { ...many, parameters: { binary_data_output: true } },
      accept,
    );
    const length = Number(binary.headers["inference-header-content-length"]);
    const unpacked = gunzipSync(binary.bytes);
    expect(unpacked.length).toBe(length + 4000);
    for (const other of [await call("/v2/models/add", { headers: accept }), await infer("x", "")]) {
      expect(other.headers["content-encoding"]).toBeUndefined();
    }
  });

  it("53 refuses a body over the limit, with and without a length", async () => {
    const large = Buffer.alloc(1024 * 1024 + 1, 0x20);
    expectError(await infer("echo_fp32", large), 413, /larger than 1048576/);
    const answer = await call("/v2/models/echo_fp32/infer", { body: large, chunked: true });
    expectError(answer, 413, /larger than 1048576/);
    const fine = await call("/v2/models/echo_fp32/infer", { body, chunked: true });
    expect(fine.status).toBe(200);
  });

  it("53 takes 64 MiB where nothing else is set, and refuses a byte more before it comes", async () => {
    const usual = await startTestGateway(endpoints);
    const path = "/v2/models/echo_fp32/infer";
    const most = 64 * 1024 * 1024;
    const whole = Buffer.alloc(most, 0x20);
    whole.write(JSON.stringify(input("FP32", [1], [0.5])));
    const answer = await call(path, { port: usual.httpPort, body: whole });
    expect([answer.status, answer.json.outputs[0].data]).toEqual([200, [0.5]]);
    const { statuses, text } = await exchange(
      usual.httpPort,
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${most + 1}\r\n\r\n`,
    );
    expect(statuses).toEqual([413]);
    expect(text).toMatch(/larger than 67108864/);
    await usual.close();
  });

  it("reads and writes large JSON in a thread, refusals with it", async () => {
    const large = await startTestGateway(endpoints, { maxBodyBytes: 8 * 1024 * 1024 });
    const send = (values: readonly unknown[]) =>
      call("/v2/models/echo_fp32/infer", {
        port: large.httpPort,
        body: JSON.stringify(input("FP32", [values.length], values)),
      });
    const values = Array.from({ length: 300_000 }, (_, i) => Math.fround(i / 7));
    const answer = await send(values);
    expect(answer.status).toBe(200);
    expect(answer.json.outputs[0].data.map(Math.fround)).toEqual(values);
    expectError(await send([...values, "no number"]), 400, /element 300000 of input 'x'/);
    await large.close();
  });

  it("refuses targets and headers that are too long", async () => {
    expectError(await call(`/v2/models/${"a".repeat(3000)}`), 414, /longer than/);
    const answer = await raw(
      `GET /v2 HTTP/1.1\r\nHost: localhost\r\nX: ${"a".repeat(20_000)}\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 431 /);
  });
});

/** Sends bytes as they are and answers all that comes until the connection closes. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let all = "";
    const socket = connect(gateway.httpPort, "127.0.0.1", () => socket.write(text));
    socket.on("data", (chunk) => {
      all += chunk.toString();
    });
    socket.on("end", () => socket.end());
    socket.on("close", () => resolve(all));
    socket.on("error", reject);
  });
}

describe("who may call", () => {
  const own = () => `localhost:${gateway.httpPort}`;

  it("lets plain clients and the portal's pages pass", async () => {
    expect((await call("/v2", { headers: { host: own() } })).status).toBe(200);
    expect((await call("/v2", { headers: { origin: "http://portal.test:3000" } })).status).toBe(
      200,
    );
    const same = { host: own(), origin: `http://${own()}`, "sec-fetch-site": "same-origin" };
    expect((await call("/v2", { headers: same })).status).toBe(200);
  });

  it.each([
    [{ origin: "http://evil.test" }, 403],
    [{ origin: "null" }, 403],
    [{ origin: "http://localhost:1" }, 403],
    [{ "sec-fetch-site": "cross-site" }, 403],
    [{ host: "evil.test" }, 421],
    [{ host: "127.0.0.1.evil.test:8000" }, 421],
  ])("refuses %j", async (headers, status) => {
    const answer = await call("/v2/models/echo_fp32/infer", {
      headers: headers as Record<string, string>,
      body: JSON.stringify(input("FP32", [1], [1])),
    });
    expectError(answer, status, /./);
    expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
  });

  it("refuses an upgrade, two hosts, an absolute target and what is not HTTP", async () => {
    const upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\n";
    expect(await raw(`GET /v2 HTTP/1.1\r\nHost: localhost\r\n${upgrade}\r\n`)).toMatch(/ 400 /);
    const close = "Connection: close\r\n\r\n";
    expect(await raw(`GET /v2 HTTP/1.1\r\nHost: localhost\r\nHost: b\r\n${close}`)).toMatch(
      / 400 /,
    );
    expect(await raw(`GET http://localhost/v2 HTTP/1.1\r\nHost: localhost\r\n${close}`)).toMatch(
      / 400 /,
    );
    expect(await raw("hello\r\n\r\n")).toMatch(/ 400 /);
  });
});

describe("timing and metrics", () => {
  it("gives the time split on demand only", async () => {
    const body = input("FP32", [1], [1]);
    expect((await infer("echo_fp32", body)).headers["x-bw-timing"]).toBeUndefined();
    const answer = await infer("echo_fp32", body, { "x-bw-timing": "1" });
    expect(JSON.parse(String(answer.headers["x-bw-timing"]))).toMatchObject({
      boardQueueNs: expect.any(Number),
      computeNs: expect.any(Number),
      linkNs: expect.any(Number),
      gatewayNs: expect.any(Number),
    });
  });

  it("90 counts requests on the metrics port, unknown models under one name", async () => {
    await infer("unheard-of", "{}");
    const { text } = await call("/metrics", { port: gateway.metricsPort });
    expect(text).toMatch(
      /^boardwalk_http_requests_total\{route="infer",method="POST",status="404"\} [1-9]/m,
    );
    expect(text).toMatch(/_count\{model="echo_fp32",protocol="http",outcome="success"\} [1-9]/);
    expect(text).not.toContain("unheard-of");
    expect(text).toMatch(/^boardwalk_request_bytes_count [1-9]/m);
    expect(text).toMatch(/^boardwalk_response_bytes_count [1-9]/m);
  });
});
