import { beforeEach, describe, expect, it } from "vitest";
import { deleteEndpoint, pauseEndpoint, resumeEndpoint } from "@/domain/endpoints";
import {
  getTraffic,
  listEndpointLog,
  listTraffic,
  noEndpoint,
  rollUpTraffic,
  setPayloadsKept,
  writeTraffic,
} from "@/domain/traffic";
import { database, uuidv7 } from "@/lib/server/db";
import { deploy } from "@/tests/support/deploy";
import { iris, openDatabase, scope } from "../support/domain";

openDatabase();

const hourMs = 3600_000;
const minuteMs = 60_000;
const writer = uuidv7();
let endpointId: string;
/** The database's time, at the beginning of a minute. */
let nowMs: number;

beforeEach(async () => {
  await database()
    .$executeRaw`TRUNCATE endpoint, endpoint_ordinal, build, outbox, event, traffic_minute, traffic_hour CASCADE`;
  await deploy(scope, iris("iris"));
  endpointId = (await database().endpoint.findFirstOrThrow()).id;
  nowMs =
    Math.floor((await writeTraffic({ writer, minutes: [], requests: [] })) / minuteMs) * minuteMs;
});

const counted = (atMs: number, requests: number, more = {}) => ({
  endpointId,
  at: new Date(atMs).toISOString(),
  revision: 1,
  requests,
  clientErrors: 0,
  serverErrors: 0,
  rows: requests * 2,
  totalUs: requests * 100,
  queueUs: requests * 10,
  linkUs: requests * 20,
  hostUs: requests * 30,
  computeUs: requests * 35,
  latency: { "28": requests },
  ...more,
});
const beat = (atMs: number) =>
  counted(atMs, 0, { endpointId: noEndpoint, revision: 0, latency: {} });
const write = (minutes: ReturnType<typeof counted>[], by = writer) =>
  writeTraffic({ writer: by, minutes, requests: [] });
const day = () => getTraffic(scope, "iris", { range: "24h" });
const month = () => getTraffic(scope, "iris", { range: "30d" });

describe("a minute", () => {
  it("that is written twice by one gateway counts once, and once more for another gateway", async () => {
    const minute = counted(nowMs - 5 * minuteMs, 10, { clientErrors: 3, latency: { "28": 7 } });
    await write([minute]);
    await write([minute]);
    expect((await day()).total).toMatchObject({ requests: 10, clientErrors: 3 });
    await write([minute], uuidv7());
    const { total, histogram } = await day();
    expect(total).toMatchObject({ requests: 20, clientErrors: 6, serverErrors: 0, rows: 40 });
    expect(histogram).toEqual([expect.objectContaining({ count: 14 })]);
  });

  it("tells where the time of the answered requests went, in the mean", async () => {
    await write([counted(nowMs - 5 * minuteMs, 10)]);
    const { timeShare } = (await day()).total;
    expect(timeShare?.queueMs).toBeCloseTo(0.01);
    expect(timeShare?.computeMs).toBeCloseTo(0.035);
    expect(timeShare?.gatewayMs).toBeCloseTo(0.005);
  });
});

describe("the roll-up", () => {
  const hourOf = (ms: number) => Math.floor(ms / hourMs) * hourMs;

  it("adds up what is a day old, to the minute at each side of the boundary, and twice nothing", async () => {
    const boundary = hourOf(nowMs - 24 * hourMs);
    const minutes = [
      counted(boundary - 2 * hourMs, 1),
      counted(boundary - hourMs - minuteMs, 2, { latency: { "28": 1, "40": 1 } }),
      counted(boundary - hourMs, 4),
      counted(boundary - minuteMs, 8, { latency: { "28": 5, "41": 3 } }),
      counted(boundary, 16),
      counted(boundary + minuteMs, 32),
    ];
    await write(minutes);
    await write([counted(boundary - minuteMs, 64)], uuidv7());
    const before = await month();
    expect(await rollUpTraffic({ limit: 2, batches: 1 })).toBe(2);
    expect(await rollUpTraffic({ limit: 2 })).toBe(3);
    expect(await rollUpTraffic()).toBe(0);
    const hours = await database().$queryRaw`
      SELECT (extract(epoch FROM at) * 1000)::float8 AS at, requests::int, rows::int, total_us::int AS "totalUs", latency
      FROM traffic_hour ORDER BY at`;
    expect(hours).toEqual([
      {
        at: boundary - 2 * hourMs,
        requests: 3,
        rows: 6,
        totalUs: 300,
        latency: { "28": 2, "40": 1 },
      },
      {
        at: boundary - hourMs,
        requests: 76,
        rows: 152,
        totalUs: 7600,
        latency: { "28": 73, "41": 3 },
      },
    ]);
    const left = await database().$queryRaw`SELECT sum(requests)::int AS n FROM traffic_minute`;
    expect(left).toEqual([{ n: 48 }]);
    const after = await month();
    expect(after.total).toEqual(before.total);
    expect(after.points.map(({ requests }) => requests)).toEqual(
      before.points.map(({ requests }) => requests),
    );
    expect(after.total.requests).toBe(127);
  });

  it("adds a minute that is written late to its hour", async () => {
    const hour = hourOf(nowMs - 30 * hourMs);
    await write([counted(hour, 5)]);
    await rollUpTraffic();
    await write([counted(hour + minuteMs, 7)]);
    expect(await rollUpTraffic()).toBe(1);
    expect((await month()).total.requests).toBe(12);
  });
});

describe("a stretch of time", () => {
  it("of an hour, a day or a month has 60, 288 or 360 points, the newest not over yet", async () => {
    await write([beat(nowMs), counted(nowMs, 30)]);
    for (const [range, count, stepS] of [
      ["1h", 60, 60],
      ["24h", 288, 300],
      ["30d", 360, 7200],
    ] as const) {
      const { points, stepS: step, to } = await getTraffic(scope, "iris", { range });
      expect([range, points.length, step]).toEqual([range, count, stepS]);
      const last = points.at(-1);
      expect(last?.requests).toBe(30);
      expect(last?.seconds).toBeLessThanOrEqual(60);
      expect(Date.parse(last?.at ?? "") + stepS * 1000).toBeGreaterThanOrEqual(Date.parse(to));
    }
  });

  it("between two moments holds what came between them", async () => {
    await write([1, 2, 3, 4].map((n) => counted(nowMs - n * 10 * minuteMs, n)));
    const from = new Date(nowMs - 30 * minuteMs).toISOString();
    const to = new Date(nowMs - 15 * minuteMs).toISOString();
    expect((await getTraffic(scope, "iris", { from, to })).total.requests).toBe(5);
    await expect(getTraffic(scope, "iris", { from: to, to: from })).rejects.toMatchObject({
      reason: "QUERY_INVALID",
    });
  });
});

describe("what happened to an endpoint", () => {
  const kinds = async (search = "") =>
    (await listEndpointLog(scope, "iris", { limit: 50, kind: [], search })).items.map(
      ({ kind, state, revision }) => [kind, state ?? revision],
    );

  it("is written down whoever does it, newest first, a page at a time, and marks its charts", async () => {
    await pauseEndpoint(scope, "iris");
    await resumeEndpoint(scope, "iris");
    await setPayloadsKept(scope, "iris", true);
    await database().$executeRaw`
      UPDATE endpoint SET state = 'failed', problem = '{"reason": "TIMING_NOT_MET", "message": "too slow by 1.2 ns"}'`;
    expect(await kinds()).toEqual([
      ["state", "failed"],
      ["payloads_kept", null],
      ["resumed", null],
      ["paused", null],
      ["revision", "building"],
      ["created", "building"],
    ]);
    expect(await kinds("1.2 NS")).toEqual([["state", "failed"]]);
    const first = await listEndpointLog(scope, "iris", { limit: 4, kind: [] });
    const cursor = first.nextCursor ?? "";
    const second = await listEndpointLog(scope, "iris", { limit: 4, kind: [], cursor });
    expect(second.items.map(({ kind }) => kind)).toEqual(["revision", "created"]);
    const { marks } = await day();
    expect(marks.map(({ kind }) => kind)).toEqual(["paused", "resumed"]);
  });

  it("is not told of an endpoint that is gone", async () => {
    await deleteEndpoint(scope, "iris");
    await database().$executeRaw`UPDATE endpoint SET deleted_at = now()`;
    await expect(kinds()).rejects.toMatchObject({ reason: "ENDPOINT_UNKNOWN" });
  });
});

describe("the summary of 10,000 endpoints that were all busy for half an hour", () => {
  it("answers a page of 50, by name or named", async () => {
    await database().$executeRaw`
      INSERT INTO endpoint (id, project_id, name, state)
      SELECT gen_random_uuid(), ${scope}::uuid, 'e' || to_char(n, 'FM00000'), 'ready' FROM generate_series(1, 10000) n`;
    // Minutes to come as well: the clock goes on while this is written and read.
    await database().$executeRaw`
      INSERT INTO traffic_minute SELECT e.id, date_trunc('minute', now()) - make_interval(mins => m), 1, ${writer}::uuid,
        60, 6, 0, 54, 5400, 1, 1, 1, 1,
        (SELECT jsonb_object_agg(b::text, 2) FROM generate_series(30, 56) b)
      FROM endpoint e, generate_series(-5, 30) m`;
    await database().$executeRawUnsafe("VACUUM ANALYZE traffic_minute");
    await write(Array.from({ length: 30 }, (_, n) => beat(nowMs - (n + 1) * minuteMs)));
    const ask = (names: string[]) => listTraffic(scope, { limit: 50, names });
    const names = Array.from({ length: 50 }, (_, n) => `e${String(n * 200 + 1).padStart(5, "0")}`);
    for (const asked of [[], names]) expect((await ask(asked)).items).toHaveLength(50);
    const [first] = (await ask(names)).items;
    expect(first).toMatchObject({ name: "e00001", requests: 1800, perMinute: 60, errorShare: 0.1 });
    expect(first?.minutes).toEqual(Array(30).fill(60));
    expect(first?.p99Ms).toBeGreaterThan(1);
    const page = await ask([]);
    const next = await listTraffic(scope, { limit: 50, names: [], cursor: page.nextCursor ?? "" });
    expect(next.items[0]?.name).toBe("e00051");
  });
});
