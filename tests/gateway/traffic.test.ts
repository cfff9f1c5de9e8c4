import { create, toBinary } from "@bufbuild/protobuf";
import { Client, credentials } from "@grpc/grpc-js";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { writeTraffic } from "@/domain/traffic";
import type { Gateway } from "@/gateway/gateway";
import type { RequestRecord, Traffic } from "@/lib/common/contract";
import { database, uuidv7 } from "@/lib/server/db";
import { ModelInferRequestSchema } from "@/proto/inference/generated/inference_pb";
import { call, openApi } from "@/tests/support/api";
import { callAt } from "@/tests/support/call";
import { scope } from "@/tests/support/domain";
import { startTestGateway } from "@/tests/support/gateway";
import { sendGrpc } from "@/tests/support/grpc-call";
import { type FakeBoard, serve, standardModels, startFakeBoard } from "./fake-board";

// What the API tells of an endpoint's traffic is what clients sent, whichever gateway answered them.

openApi();

const secret = 271_828.25;
let board: FakeBoard;
let gateways: Gateway[];
let client: Client;
let endpointId: string;
let keepsPayloads = false;
let breaks = false;

const model = () => {
  const single = standardModels().find(({ name }) => name === "single");
  if (!single) throw new Error("no model");
  return {
    ...single,
    name: "iris",
    run: (inputs: Parameters<typeof single.run>[0]) => {
      if (breaks) throw new Error("broken");
      return single.run(inputs);
    },
  };
};

async function startGateways(): Promise<void> {
  const load = async () => ({
    endpoints: [{ ...serve(board, model()), id: endpointId, keepsPayloads }],
  });
  gateways = await Promise.all(
    [1, 2].map(() => startTestGateway([], { load, traffic: { write: writeTraffic, everyMs: 50 } })),
  );
  client = new Client(`127.0.0.1:${gateways[0]?.grpcPort}`, credentials.createInsecure());
  await expect.poll(() => infer([[1, 2, 3, 4]]).then(({ status }) => status)).toBe(200);
}

async function stopGateways(): Promise<void> {
  client.close();
  await Promise.all(gateways.map((gateway) => gateway.close()));
}

const infer = (rows: readonly (readonly number[])[], gateway = gateways[0], id = "") =>
  callAt(gateway?.httpPort ?? 0, "/v2/models/iris/infer", {
    body: JSON.stringify({
      ...(id === "" ? {} : { id }),
      inputs: [{ name: "x", shape: [rows.length, 4], datatype: "FP32", data: rows.flat() }],
    }),
  });

const row = [secret, 2, 3, 4];
const read = async <T>(path: string): Promise<T> => await (await call("GET", path)).json();
const traffic = () => read<Traffic>("/endpoints/iris/traffic?range=1h");
const total = async () => (await traffic()).total;
const requests = async () =>
  (await read<{ items: RequestRecord[] }>("/endpoints/iris/requests")).items;

beforeAll(async () => {
  board = await startFakeBoard();
});
afterAll(async () => {
  await stopGateways();
  await board.close();
});
beforeEach(async () => {
  if (gateways) await stopGateways();
  breaks = false;
  keepsPayloads = false;
  endpointId = uuidv7();
  await database()
    .$executeRaw`TRUNCATE endpoint, traffic_minute, traffic_hour, request_record, endpoint_log CASCADE`;
  await database()
    .$executeRaw`INSERT INTO endpoint (id, project_id, name, state) VALUES (${endpointId}::uuid, ${scope}::uuid, 'iris', 'ready')`;
  await startGateways();
  // The one that asked whether it is up is counted too.
  await expect.poll(async () => (await total()).requests).toBe(1);
});

describe("an endpoint's traffic", () => {
  it("counts each request once, by how it ended, over both protocols", async () => {
    for (let n = 0; n < 5; n++) expect((await infer([row, row])).status).toBe(200);
    const message = toBinary(
      ModelInferRequestSchema,
      create(ModelInferRequestSchema, {
        modelName: "iris",
        inputs: [
          {
            name: "x",
            datatype: "FP32",
            shape: [1n, 4n],
            contents: { fp32Contents: [1, 2, 3, 4] },
          },
        ],
      }),
    );
    const path = "/inference.GRPCInferenceService/ModelInfer";
    expect((await sendGrpc(client, path, { message })).code).toBe(0);
    const v1 = { body: JSON.stringify({ instances: [[1, 2, 3, 4]] }) };
    const { httpPort = 0 } = gateways[0] ?? {};
    expect((await callAt(httpPort, "/v1/models/iris:predict", v1)).status).toBe(200);
    for (let n = 0; n < 3; n++) {
      expect((await callAt(httpPort, "/v2/models/iris/infer", { body: "{" })).status).toBe(400);
    }
    expect((await callAt(httpPort, "/v2/models/other/infer", { body: "{" })).status).toBe(404);
    breaks = true;
    for (let n = 0; n < 2; n++) expect((await infer([row])).status).toBe(500);
    await expect
      .poll(total)
      .toMatchObject({ requests: 13, clientErrors: 3, serverErrors: 2, rows: 1 + 10 + 1 + 1 });
    const { points, revisions, histogram } = await traffic();
    expect(points.reduce((sum, point) => sum + point.requests, 0)).toBe(13);
    expect(histogram.reduce((sum, { count }) => sum + count, 0)).toBe(8);
    expect(revisions).toMatchObject([{ revision: 1, total: { requests: 13 } }]);
  });

  it("is that of two gateways together", async () => {
    for (let n = 0; n < 4; n++) await infer([row], gateways[n % 2]);
    await expect.poll(total).toMatchObject({ requests: 5, rows: 5 });
    const writers = await database().$queryRaw<{ n: number }[]>`
      SELECT count(DISTINCT writer)::int AS n FROM traffic_minute WHERE endpoint_id = ${endpointId}::uuid`;
    expect(writers).toEqual([{ n: 2 }]);
  });

  it("outlives the gateways, and a minute that both runs of one counted in has what both did", async () => {
    await infer([row]);
    await stopGateways();
    await startGateways();
    await expect.poll(total).toMatchObject({ requests: 3 });
  });

  it("is a gap where nobody counted, and zero where nobody asked", async () => {
    const beat = "00000000-0000-0000-0000-000000000000";
    const [counted] = await database().$queryRaw<{ at: Date }[]>`
      INSERT INTO traffic_minute SELECT ${beat}::uuid, date_trunc('minute', now()) - interval '10 minutes', 0,
        gen_random_uuid(), 0, 0, 0, 0, 0, 0, 0, 0, 0, '{}' RETURNING at`;
    const { points } = await traffic();
    expect(points).toHaveLength(60);
    const quiet = points.findIndex(({ at }) => Date.parse(at) === counted?.at.getTime());
    const around = points.slice(quiet - 1, quiet + 1).map(({ perSecond }) => perSecond);
    expect(around).toEqual([null, 0]);
    expect(points.some(({ perSecond }) => (perSecond ?? 0) > 0)).toBe(true);
  });

  it("waits while the database is away, slows no request, and is then whole", async () => {
    const url = new URL(process.env["DATABASE_URL"] ?? "");
    const name = url.pathname.slice(1);
    url.pathname = "/postgres";
    const admin = new pg.Client({ connectionString: url.href });
    await admin.connect();
    await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [
      name,
    ]);
    const startMs = performance.now();
    for (let n = 0; n < 20; n++) expect((await infer([row])).status).toBe(200);
    expect(performance.now() - startMs).toBeLessThan(20_000);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    await admin.end();
    await expect.poll(total).toMatchObject({ requests: 21, rows: 21 });
  });
});

/** Every text that Postgres holds of the endpoint's requests. */
async function storedText(): Promise<string> {
  const rows = await database().$queryRaw<{ text: string }[]>`
    SELECT r::text AS text FROM request_record r UNION ALL SELECT m::text FROM traffic_minute m
    UNION ALL SELECT l::text FROM endpoint_log l`;
  return rows.map(({ text }) => text).join("\n");
}

describe("the last requests", () => {
  it("say when, how, from which revision and how fast, and hold nothing of what was asked", async () => {
    await infer([row, row], gateways[0], "mine-1");
    const body = `{"inputs":[{"name":"kept-name-${secret}","shape":[1,4],"datatype":"FP32","data":[${row}]}]}`;
    await callAt(gateways[0]?.httpPort ?? 0, "/v2/models/iris/infer", { body });
    await expect.poll(async () => (await requests()).length).toBe(3);
    const [refused, answered] = await requests();
    expect(answered).toMatchObject({
      protocol: "http",
      status: 200,
      revision: 1,
      rows: 2,
      requestId: "mine-1",
      hasBody: false,
      reason: null,
    });
    expect(answered?.latencyMs).toBeGreaterThan(0);
    expect(refused).toMatchObject({ status: 400, reason: "INFER_INVALID", rows: 0 });
    expect(refused?.message).toMatch(/unexpected inference input/);
    expect(await storedText()).not.toContain(String(secret));
    const kept = await read(`/endpoints/iris/requests/${answered?.id}`);
    expect(kept).toEqual({ id: answered?.id, at: answered?.at, revision: 1, protocol: "http" });
  });

  it("have bodies while their owner wants them kept, and lose them when not, or with the endpoint", async () => {
    await stopGateways();
    keepsPayloads = true;
    expect((await call("POST", "/endpoints/iris/payloads")).status).toBe(200);
    await startGateways();
    await infer([row], gateways[0], "mine-2");
    const newest = async () => (await requests()).find(({ requestId }) => requestId === "mine-2");
    await expect.poll(newest).toMatchObject({ hasBody: true });
    const kept = await read<{ body: string }>(`/endpoints/iris/requests/${(await newest())?.id}`);
    expect(JSON.parse(kept.body)).toMatchObject({ inputs: [{ data: row }] });
    expect((await call("DELETE", "/endpoints/iris/payloads")).status).toBe(200);
    expect(await storedText()).not.toContain(String(secret));
    // The gateways have not heard of it yet: what they still hand over is not stored.
    await infer([row], gateways[0], "mine-3");
    await expect
      .poll(async () => (await requests()).some(({ requestId }) => requestId === "mine-3"))
      .toBe(true);
    expect(await storedText()).not.toContain(String(secret));
    await database()
      .$executeRaw`UPDATE endpoint SET delete_requested_at = now() WHERE id = ${endpointId}::uuid`;
    expect(await database().requestRecord.count()).toBe(0);
  });

  it("are the newest 200, the newest 50 of them with bodies", async () => {
    await stopGateways();
    keepsPayloads = true;
    await call("POST", "/endpoints/iris/payloads");
    await startGateways();
    for (let n = 0; n < 230; n++) await infer([row], gateways[0], `n${n}`);
    await expect.poll(async () => (await requests())[0]?.requestId).toBe("n229");
    const kept = await requests();
    expect(kept.map(({ requestId }) => requestId)).toEqual(
      Array.from({ length: 200 }, (_, n) => `n${229 - n}`),
    );
    expect(kept.filter(({ hasBody }) => hasBody)).toHaveLength(50);
  });
});
