import { Pool } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Random, randomFrom } from "@/compiler/random";
import type { Gateway } from "@/gateway/gateway";
import { startTestGateway } from "@/tests/support/gateway";
import { type RealBoard, startRealBoard } from "@/tests/support/real-board";
import { serveRealModels } from "@/tests/support/real-models";
import { mutate } from "./mutate";

// Damaged requests by seed: every one is refused in words or answered right, none hurts the server or its neighbours.

const count = Number(process.env["FUZZ_COUNT"] ?? 20_000);
const seed = Number(process.env["FUZZ_SEED"] ?? 2026);
const abreast = 16;
let board: RealBoard;
let gateway: Gateway;
let pool: Pool;

beforeAll(async () => {
  board = await startRealBoard();
  const endpoints = await serveRealModels(board);
  gateway = await startTestGateway(endpoints);
  pool = new Pool(`http://127.0.0.1:${gateway.httpPort}`, { connections: abreast });
}, 120_000);
afterAll(async () => {
  await pool.destroy();
  await gateway.close();
  await board.close();
});

interface Request {
  readonly model: string;
  readonly body: Uint8Array;
  readonly headerLength: number | string | null;
}

const encode = (text: string) => new TextEncoder().encode(text);
const matrix = { name: "x", shape: [2, 3], datatype: "FP32" };
const values = [1, -2.5, 3e-3, 40, 0.1, 65504];
const valid = encode(JSON.stringify({ id: "ok", inputs: [{ ...matrix, data: values }] }));

function jsonRequest(random: Random): Request {
  const requests: [string, object][] = [
    ["matrix", { ...matrix, data: values }],
    ["matrix", { ...matrix, data: [values.slice(0, 3), values.slice(3)] }],
    ["echo_int64", { name: "x", shape: [2], datatype: "INT64", data: [7, -9] }],
    ["echo_bytes", { name: "x", shape: [2], datatype: "BYTES", data: ["a", "é"] }],
    ["echo_bool", { name: "x", shape: [3], datatype: "BOOL", data: [true, false, 1] }],
    ["single", { name: "x", shape: [1, 4], datatype: "FP32", data: [1, 2, 3, 4] }],
  ];
  const [model, input] = requests[random.integer(0, requests.length - 1)] as [string, object];
  const body = encode(JSON.stringify({ id: "x", parameters: { priority: 1 }, inputs: [input] }));
  return { model, body: mutate(body, random), headerLength: null };
}

function binaryRequest(random: Random): Request {
  const head = encode(
    JSON.stringify({
      inputs: [{ ...matrix, parameters: { binary_data_size: 24 } }],
      parameters: { binary_data_output: true },
    }),
  );
  const blob = new Uint8Array(Float32Array.from(values).buffer);
  const headerLengths = [head.length, head.length, head.length + 1, 0, -1, 2 ** 40, "abc", "1e3"];
  const whole = new Uint8Array([...head, ...blob]);
  return {
    model: "matrix",
    body: random.integer(0, 3) === 0 ? whole : mutate(whole, random),
    headerLength: headerLengths[random.integer(0, headerLengths.length - 1)] ?? null,
  };
}

async function send({ model, body, headerLength }: Request) {
  const answer = await pool.request({
    method: "POST",
    path: `/v2/models/${model}/infer`,
    body,
    headers: headerLength === null ? {} : { "inference-header-content-length": `${headerLength}` },
    headersTimeout: 60_000,
  });
  const bytes = new Uint8Array(await answer.body.arrayBuffer());
  return { status: answer.statusCode, headers: answer.headers, bytes };
}

/** What a reader of no relation to ours makes of a JSON body; null: nothing. */
function readAlone(body: Uint8Array): { shape: number[]; data: unknown[] } | null {
  const text = new TextDecoder().decode(body);
  for (const candidate of [text, text.replace(/-?\b(NaN|Infinity)\b/g, "null")]) {
    try {
      const { inputs } = JSON.parse(candidate);
      const [{ shape, data }] = inputs;
      return { shape, data: [data].flat(200) };
    } catch {
      // Tried again, or not JSON.
    }
  }
  return null;
}

function isRight(request: Request, answer: Awaited<ReturnType<typeof send>>): boolean {
  const { model, body, headerLength } = request;
  const outLength = answer.headers["inference-header-content-length"];
  const text = new TextDecoder().decode(
    outLength === undefined ? answer.bytes : answer.bytes.subarray(0, Number(outLength)),
  );
  const [output] = JSON.parse(text).outputs;
  if (headerLength !== null) {
    const sent = Buffer.from(body.subarray(Number(headerLength)));
    const got =
      output.data === undefined
        ? Buffer.from(answer.bytes.subarray(Number(outLength ?? answer.bytes.length)))
        : Buffer.from(Float32Array.from(output.data, Number).buffer);
    return sent.equals(got);
  }
  const meant = readAlone(body);
  if (meant === null || JSON.stringify(meant.shape) !== JSON.stringify(output.shape)) return false;
  const numbers = (list: unknown[]) =>
    list.map((value) =>
      model === "echo_bytes" ? value : Math.fround(Number(value === null ? Number.NaN : value)),
    );
  const expected = numbers(meant.data);
  return (
    expected.length === output.data.length &&
    numbers(output.data).every((value, i) => Object.is(value, expected[i]) || value === expected[i])
  );
}

describe(`${count} damaged requests from seed ${seed}`, () => {
  it("are refused in words or answered right, and spoil no other", async () => {
    const random = randomFrom(seed);
    const statuses = new Map<number, number>();
    const wrong: string[] = [];
    for (let done = 0; done < count; done += abreast - 1) {
      const requests = Array.from({ length: abreast - 1 }, () =>
        random.integer(0, 2) === 0 ? binaryRequest(random) : jsonRequest(random),
      );
      const good = send({ model: "matrix", body: valid, headerLength: null });
      await Promise.all(
        requests.map(async (request) => {
          const answer = await send(request);
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
          const shown = () => `${answer.status} ${Buffer.from(request.body).toString("latin1")}`;
          if (answer.status >= 500 && answer.status !== 501) wrong.push(shown());
          else if (answer.status === 200 && !isRight(request, answer)) wrong.push(shown());
          else if (answer.status !== 200) {
            const { error } = JSON.parse(new TextDecoder().decode(answer.bytes));
            if (typeof error !== "string" || error === "") wrong.push(shown());
          }
        }),
      );
      const { status, bytes } = await good;
      const { outputs } = JSON.parse(new TextDecoder().decode(bytes));
      expect([status, outputs[0].data]).toEqual([200, values]);
    }
    console.log(`answers: ${JSON.stringify(Object.fromEntries(statuses))}`);
    expect(wrong.slice(0, 5)).toEqual([]);
    expect(statuses.get(400) ?? 0).toBeGreaterThan(count / 3);
    expect(statuses.get(200) ?? 0).toBeGreaterThan(count / 50);
  }, 600_000);
});
