import { readdirSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { pino } from "pino";
import { describe, expect, it, vi } from "vitest";
import { streamPace } from "@/app/api/v1/_shared/event-stream";
import { type Method, routes } from "@/app/api/v1/openapi.json/routes";
import { reportBuildWorker } from "@/domain/build-workers";
import {
  appendLog,
  claimBuild,
  failBuild,
  handBackBuild,
  markLogTruncated,
  succeedBuild,
} from "@/domain/builds";
import { claimInspection, finishInspection } from "@/domain/models";
import {
  type BuildWorker,
  canonicalJson,
  type Inspection,
  type LogLine,
} from "@/lib/common/contract";
import { closeDatabase, database, withTransaction } from "@/lib/server/db";
import { digestOf } from "@/lib/server/digest";
import { logger } from "@/lib/server/logger";
import { startPresence } from "@/workers/builds/presence";
import { call, openApi, readEvents } from "../support/api";
import { artifactOf, bare, iris } from "../support/domain";
import { withResolvers } from "../support/with-resolvers";

openApi();

const lease = { leaseS: 60, deadlineS: 600 };
let made = 0;
const fresh = () => iris(`iris-${++made}`);

async function deploy(): Promise<{ name: string; buildId: string }> {
  const answer = await call("POST", "/endpoints", { json: fresh() });
  expect(answer.status).toBe(202);
  return await answer.json();
}

async function rows(): Promise<number[]> {
  const db = database();
  return await Promise.all([
    db.endpoint.count(),
    db.build.count(),
    db.outbox.count(),
    db.model.count(),
    db.inspection.count(),
  ]);
}

const line = (n: number): LogLine => ({
  n,
  time: "2026-01-01T00:00:00.000Z",
  stage: "synthesise",
  stream: "stdout",
  level: "info",
  text: `line ${n}`,
});
const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => line(from + i));

describe("the log of the portal", () => {
  it("has one event for a request, with its id and nothing of its body", async () => {
    const written = vi.spyOn(logger(), "info");
    const json = { ...fresh(), name: "Name of the caller" };
    const refused = await call("POST", "/endpoints", { json });
    const read = await call("GET", "/builds?limit=3");
    const events = written.mock.calls;
    written.mockRestore();
    const event = { durationMs: expect.any(Number) };
    expect(events).toEqual([
      [
        {
          ...event,
          route: "endpoints.create",
          requestId: refused.headers.get("x-request-id"),
          ...{ status: 422, code: "invalid_argument", reason: "NAME_INVALID" },
        },
        "request",
      ],
      [
        {
          ...event,
          route: "builds.list",
          requestId: read.headers.get("x-request-id"),
          status: 200,
        },
        "request",
      ],
    ]);
    expect(read.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe("deploy", () => {
  it("answers 202 with the build, which is then there with its stages", async () => {
    const answer = await call("POST", "/endpoints", { json: fresh() });
    expect(answer.status).toBe(202);
    expect(answer.headers.get("cache-control")).toBe("no-store, private");
    const deployed = await answer.json();
    expect(deployed).toMatchObject({ state: "building", revision: 1 });
    expect(deployed.url).toBe(`http://localhost:8000/v2/models/${deployed.name}/infer`);
    const build = await (await call("GET", `/builds/${deployed.buildId}`)).json();
    expect(build).toMatchObject({
      id: deployed.buildId,
      state: "queued",
      reused: false,
      waitingFor: "a free worker",
      waitsFor: "worker",
    });
    expect(build.stages).toHaveLength(9);
    const endpoint = await (await call("GET", `/endpoints/${deployed.name}`)).json();
    expect(endpoint).toMatchObject({
      name: deployed.name,
      state: "building",
      buildId: deployed.buildId,
      artifactDigest: null,
    });
  });

  it("makes one endpoint of 200 posts with one key, however they meet (R11)", async () => {
    const json = fresh();
    const before = await database().build.count();
    const post = () =>
      call("POST", "/endpoints", { json, headers: { "idempotency-key": "the-same" } });
    const answers = await Promise.all(Array.from({ length: 200 }, post));
    const statuses = new Set(answers.map(({ status }) => status));
    // A pool of ten connections may also say that it is full: then nothing was done.
    expect([...statuses].filter((status) => ![202, 409, 503].includes(status))).toEqual([]);
    expect(statuses).toContain(202);
    const bodies = await Promise.all(
      answers.filter(({ status }) => status === 202).map((answer) => answer.json()),
    );
    expect(new Set(bodies.map(canonicalJson)).size).toBe(1);
    for (const answer of answers.filter(({ status }) => status === 409)) {
      expect(answer.headers.get("retry-after")).toBe("1");
      expect((await answer.json()).error.reason).toBe("IDEMPOTENCY_IN_FLIGHT");
    }
    expect(await (await post()).json()).toEqual(bodies[0]);
    expect(await database().build.count()).toBe(before + 1);

    const other = await call("POST", "/endpoints", {
      json: fresh(),
      headers: { "idempotency-key": "the-same" },
    });
    expect([other.status, (await other.json()).error.reason]).toEqual([
      422,
      "IDEMPOTENCY_KEY_REUSED",
    ]);
    const malformed = await call("POST", "/endpoints", {
      json: fresh(),
      headers: { "idempotency-key": "a b" },
    });
    expect([malformed.status, (await malformed.json()).error.reason]).toEqual([
      400,
      "IDEMPOTENCY_KEY_INVALID",
    ]);
    expect(await database().build.count()).toBe(before + 1);
  }, 120_000);

  it("gives a taken name to one of twenty", async () => {
    const json = fresh();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call("POST", "/endpoints", { json })),
    );
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    // A pool of ten connections may also say that it is full.
    const refused = answers.filter(({ status }) => ![202, 503].includes(status));
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([409]));
    for (const answer of refused)
      expect((await answer.json()).error).toMatchObject({ reason: "NAME_TAKEN", field: "name" });
  });
});

describe("bad requests leave nothing behind", () => {
  const good = () => JSON.stringify(fresh());
  const json = { "content-type": "application/json" };

  it.each<[string, () => BodyInit, Record<string, string>, number, string]>([
    ["no content type", good, { "content-type": "" }, 415, "UNSUPPORTED_MEDIA_TYPE"],
    ["text", good, { "content-type": "text/plain" }, 415, "UNSUPPORTED_MEDIA_TYPE"],
    [
      "a form",
      () => "a=b",
      { "content-type": "application/x-www-form-urlencoded" },
      415,
      "UNSUPPORTED_MEDIA_TYPE",
    ],
    ["a coding", good, { ...json, "content-encoding": "gzip" }, 415, "UNSUPPORTED_MEDIA_TYPE"],
    ["nothing", () => "", json, 400, "INVALID_JSON"],
    ["half of it", () => good().slice(0, -3), json, 400, "INVALID_JSON"],
    ["deep nesting", () => "[".repeat(5000), json, 400, "JSON_TOO_COMPLEX"],
    ["a key twice", () => '{"name":"a","name":"b"}', json, 400, "DUPLICATE_KEY"],
    ["a prototype", () => '{"options":{"__proto__":{}}}', json, 400, "FORBIDDEN_KEY"],
    ["a huge number", () => '{"options":{"lanes":1e999}}', json, 400, "NUMBER_OUT_OF_RANGE"],
    [
      "a body over the limit",
      () => JSON.stringify({ name: "x".repeat(300_000) }),
      json,
      413,
      "BODY_TOO_LARGE",
    ],
    [
      "an object for a name",
      () => JSON.stringify({ ...fresh(), name: { not: "" } }),
      json,
      422,
      "VALIDATION",
    ],
    [
      "an unknown field",
      () => JSON.stringify({ ...fresh(), admin: true }),
      json,
      422,
      "VALIDATION",
    ],
    ["a missing field", () => '{"name":"a"}', json, 422, "VALIDATION"],
    ["a bad name", () => JSON.stringify({ ...fresh(), name: "A b" }), json, 422, "NAME_INVALID"],
    [
      "a name that is HTML",
      () => JSON.stringify({ ...fresh(), name: "<script>" }),
      json,
      422,
      "NAME_INVALID",
    ],
    [
      "a kind nobody has",
      () => JSON.stringify({ ...fresh(), board: { model: "icebreaker", kind: "quantum" } }),
      json,
      422,
      "VALIDATION",
    ],
  ])("%s", async (_why, body, headers, status, reason) => {
    const before = await rows();
    const answer = await call("POST", "/endpoints", { body: body(), headers });
    const { error } = await answer.json();
    expect([answer.status, error.reason]).toEqual([status, reason]);
    expect(error.requestId).toBe(answer.headers.get("x-request-id"));
    expect(error.message).not.toMatch(/prisma|select|node_modules|\/work|at .*:\d+/i);
    expect(await rows()).toEqual(before);
  });

  it.each<[string, Record<string, string>, number, string]>([
    ["an unknown host", { host: "evil.example" }, 421, "HOST_UNKNOWN"],
    ["the page of another site", { origin: "https://evil.example" }, 403, "CSRF"],
    ["a page without an origin", { origin: "null" }, 403, "CSRF"],
    ["another site by its own account", { "sec-fetch-site": "cross-site" }, 403, "CSRF"],
    ["another port of this machine", { "sec-fetch-site": "same-site" }, 403, "CSRF"],
  ])("%s may not write", async (_why, headers, status, reason) => {
    const before = await rows();
    const answer = await call("POST", "/endpoints", { json: fresh(), headers });
    expect([answer.status, (await answer.json()).error.reason]).toEqual([status, reason]);
    expect(await rows()).toEqual(before);
  });

  it.each([
    { origin: "http://localhost:3000", "sec-fetch-site": "same-origin" },
    { "sec-fetch-site": "none" },
    {},
  ])("our own pages and programs may: %j", async (headers) => {
    expect((await call("POST", "/endpoints", { json: fresh(), headers })).status).toBe(202);
  });

  it.each([
    ["/builds?cursor=tampered", 400, "CURSOR_INVALID"],
    ["/builds?state=exploded", 400, "QUERY_INVALID"],
    ["/builds?order=state", 400, "QUERY_INVALID"],
    ["/events?events=-1", 400, "QUERY_INVALID"],
    [
      "/builds/bld_01890000-0000-7000-8000-000000000000/log?attempt=2147483648",
      400,
      "QUERY_INVALID",
    ],
    ["/events?log=nonsense", 400, "CURSOR_INVALID"],
  ])("%s is refused", async (target, status, reason) => {
    const answer = await call("GET", target);
    expect([answer.status, (await answer.json()).error.reason]).toEqual([status, reason]);
  });
});

describe("every route that names a thing", () => {
  const ids = [
    "nope",
    "bld_",
    "bld_00000000-0000-7000-8000-000000000000",
    "../../etc",
    "x".repeat(190),
    "a b;c",
  ];
  const named = Object.entries(routes).flatMap(([route, module]) =>
    (["GET", "POST", "PATCH", "DELETE"] as const).flatMap((method): [Method, string][] =>
      route.includes("{") && module[method] ? [[method, route]] : [],
    ),
  );

  /** What a route must be asked besides, before it looks for the thing. */
  const queries: Readonly<Record<string, string>> = {
    "/builds/{id}/log/difference": "?with=bld_01890000-0000-7000-8000-000000000000",
    "/builds/{id}/log/search": "?text=yosys",
  };

  it.each(named)("%s %s answers 404 for what is not there, never 5xx", async (method, route) => {
    for (const id of ids) {
      const address = route
        .replace(/\{(id|name)\}/, encodeURIComponent(id))
        .replace("{role}", "report");
      const target = `${address}${queries[route] ?? ""}`;
      const { name: _, ...revision } = fresh();
      const bodies: Record<string, object> = {
        "/endpoints/{name}/revisions": revision,
        "/recipes/{id}": { name: "of nothing" },
        "/builds/{id}/labels": { labels: [] },
        "/builds/{id}/notices": { receiver: "nobody", told: true },
        "/builds/{id}/priority": { priority: "high" },
        "/endpoints/{name}/access": { access: "all" },
        "/endpoints/{name}/links": { name: "nobody" },
        "/leases/{id}/console": { bytes: "" },
        "/leases/{id}/infer": {
          inputs: [{ name: "x", shape: [1, 1], datatype: "FP32", data: [0] }],
        },
        "/leases/{id}/load": { artifactDigest: `sha256:${"0".repeat(64)}` },
        "/models/{id}/aliases": { name: "champion" },
        "/members/{id}/role": { role: "viewer" },
        "/projects/{id}/quotas": {
          runningBuilds: 1,
          queuedBuilds: 1,
          buildMinutes: null,
          boards: null,
          storageBytes: null,
          requestsPerSecond: null,
        },
      };
      const answer = await call(
        method,
        target,
        method === "POST" || method === "PATCH" ? { json: bodies[route] ?? {} } : {},
      );
      expect([target, answer.status]).toEqual([target, 404]);
      const { error } = await answer.json();
      expect(error, target).toMatchObject({ code: "not_found", hint: expect.stringMatching(/./) });
      expect(error.message, target).toContain(id.slice(0, 80));
    }
  });
});

describe("every route that is read", () => {
  /** What lies in each table, as a digest of its rows. */
  async function tables(): Promise<[name: string, digest: string | null][]> {
    const names = await database().$queryRaw<{ name: string }[]>`
      SELECT format('%I', tablename) AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`;
    return await Promise.all(
      names.map(async ({ name }): Promise<[string, string | null]> => {
        const [row] = await database().$queryRawUnsafe<{ digest: string | null }[]>(
          `SELECT md5(string_agg(t::text, ';' ORDER BY t::text)) AS digest FROM ${name} t`,
        );
        return [name, row?.digest ?? null];
      }),
    );
  }

  it("changes nothing by it", async () => {
    const { name, buildId } = await deploy();
    const before = await tables();
    let answered = 0;
    for (const [route, { GET }] of Object.entries(routes)) {
      if (!GET) continue;
      const id = route.startsWith("/builds/") ? buildId : "icebreaker";
      const address = route.replace("{name}", name).replace("{id}", id).replace("{role}", "report");
      const answer = await call("GET", address);
      await answer.body?.cancel();
      if (answer.status === 200) answered += 1;
    }
    expect(answered).toBeGreaterThan(25);
    expect(await tables()).toEqual(before);
  });
});

describe("a build's log", () => {
  it("is searched by regular expression, and refuses what is none or takes for ever", async () => {
    const { buildId } = await deploy();
    const { epoch = 0 } = (await claimBuild(bare(buildId), "worker", lease)) ?? {};
    const texts = ["net n12", "net x", `${"a".repeat(60)}!`];
    const told = lines(1, 3).map((line, at) => ({ ...line, text: texts[at] ?? "" }));
    await appendLog(bare(buildId), epoch, told);
    const search = async (text: string) => {
      const query = new URLSearchParams({ text, syntax: "regex" });
      const answer = await call("GET", `/builds/${buildId}/log/search?${query}`);
      return { status: answer.status, body: await answer.json() };
    };
    expect(await search("^NET n\\d+$")).toMatchObject({
      status: 200,
      body: { total: 1, numbers: [1], lines: 3 },
    });
    expect(await search("net (")).toMatchObject({
      status: 400,
      body: { error: { reason: "QUERY_INVALID", message: expect.stringMatching(/Unterminated/) } },
    });
    expect((await search("^(a+)+$")).body.error.reason).toBe("DEADLINE_EXCEEDED");
  });

  it("comes as text, as pages and live, the same lines each time, and resumes anywhere", async () => {
    const { buildId } = await deploy();
    const log = `/builds/${buildId}/log`;
    const attempt = await claimBuild(bare(buildId), "worker", lease);
    const epoch = attempt?.epoch ?? 0;
    await appendLog(bare(buildId), epoch, lines(1, 5));

    const live = await call("GET", log, { headers: { accept: "text/event-stream" } });
    expect(live.headers.get("content-type")).toMatch(/^text\/event-stream/);
    const reading = readEvents(live, (events) => events.some(({ event }) => event === "end"));
    const seen = await Promise.race([sleep(300), reading]);
    expect(seen).toBeUndefined();
    for (let n = 6; n <= 20; n += 5) await appendLog(bare(buildId), epoch, lines(n, n + 4));
    await handBackBuild(bare(buildId), epoch);
    const second = await claimBuild(bare(buildId), "worker", lease);
    await appendLog(bare(buildId), second?.epoch ?? 0, lines(1, 3));
    await failBuild(
      bare(buildId),
      second?.epoch ?? 0,
      { code: "internal", reason: "TOOL_FAILED", message: "no" },
      "failed",
    );
    const events = await reading;
    const wanted = [
      ...lines(1, 20).map(({ n }) => `1:${n}`),
      ...lines(1, 3).map(({ n }) => `2:${n}`),
    ];
    expect(events.filter(({ event }) => event === "log").map(({ id }) => id)).toEqual(wanted);
    expect(events.at(-1)).toMatchObject({ event: "end", data: { state: "failed" } });

    const resumed = await call("GET", log, { headers: { "last-event-id": "1:18" } });
    const rest = await readEvents(resumed, (all) => all.some(({ event }) => event === "end"));
    expect(rest.filter(({ event }) => event === "log").map(({ id }) => id)).toEqual([
      "1:19",
      "1:20",
      "2:1",
      "2:2",
      "2:3",
    ]);

    const text = await call("GET", `${log}?attempt=1`, { headers: { accept: "text/plain" } });
    expect(text.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(await text.text()).toBe(
      lines(1, 20)
        .map((each) => `${each.text}\n`)
        .join(""),
    );
    const page = await (await call("GET", `${log}?attempt=1&from=7&limit=3`)).json();
    expect(page).toMatchObject({ attempt: 1, total: 20, final: true });
    expect(page.lines.map(({ n }: LogLine) => n)).toEqual([7, 8, 9]);
  });

  it("is a file of text, of text without colours, or of lines of JSON, compressed where asked", async () => {
    const { buildId } = await deploy();
    const attempt = await claimBuild(bare(buildId), "worker", lease);
    const said: LogLine[] = ["10 %\r100 %", "\u001b[31mred\u001b[0m <b>µs</b>", ""].map(
      (text, at) => ({ ...line(at + 1), text }),
    );
    await appendLog(bare(buildId), attempt?.epoch ?? 0, said);
    const file = async (query: string) => {
      const response = await call("GET", `/builds/${buildId}/log?attempt=1&${query}`);
      const [, leaves, name] =
        /^(\w+); filename="[\w-]+(\.log|\.txt|\.jsonl|\.log\.gz)"$/.exec(
          response.headers.get("content-disposition") ?? "",
        ) ?? [];
      const type = response.headers.get("content-type");
      return { name, leaves, type, bytes: Buffer.from(await response.arrayBuffer()) };
    };
    const text = said.map((each) => `${each.text}\n`).join("");
    // A tab shows it as the text that it says it is: `nosniff` stands on every answer.
    const shown = { leaves: "inline", type: "text/plain; charset=utf-8" };
    expect(await file("format=text")).toEqual({
      ...shown,
      name: ".log",
      bytes: Buffer.from(text),
    });
    expect(await file("format=plain")).toEqual({
      ...shown,
      name: ".txt",
      bytes: Buffer.from("100 %\nred <b>µs</b>\n\n"),
    });
    const { bytes, ...lined } = await file("format=jsonl");
    expect(lined).toEqual({ name: ".jsonl", leaves: "inline", type: "application/jsonl" });
    const read = bytes.toString().trimEnd().split("\n");
    expect(read.map((each) => JSON.parse(each))).toMatchObject(said);
    const { bytes: packed, ...gzipped } = await file("format=text&compression=gzip");
    expect(gzipped).toEqual({ name: ".log.gz", leaves: "attachment", type: "application/gzip" });
    expect(gunzipSync(packed).toString()).toBe(text);
    expect((await call("GET", `/builds/${buildId}/log?format=pdf`)).status).toBe(400);
  });

  it("that was cut says so with its build, and with it alone", async () => {
    const [cut, whole] = [await deploy(), await deploy()];
    for (const { buildId } of [cut, whole]) {
      const attempt = await claimBuild(bare(buildId), "worker", lease);
      await appendLog(bare(buildId), attempt?.epoch ?? 0, lines(1, 2));
    }
    const told = async ({ buildId }: { buildId: string }) =>
      (await (await call("GET", `/builds/${buildId}`)).json()).logTruncated;
    expect(await told(cut)).toBeUndefined();
    await markLogTruncated(bare(cut.buildId), 1);
    expect([await told(cut), await told(whole)]).toEqual([true, undefined]);
  });

  it("is an empty file while nobody has begun the build", async () => {
    const { buildId } = await deploy();
    for (const format of ["text", "plain", "jsonl"]) {
      const answer = await call("GET", `/builds/${buildId}/log?format=${format}`);
      expect([answer.status, await answer.text()]).toEqual([200, ""]);
    }
  });

  it("tells a line when it is written, without looking again", async () => {
    const { buildId } = await deploy();
    const attempt = await claimBuild(bare(buildId), "worker", lease);
    const { lookAgainMs } = streamPace;
    Object.assign(streamPace, { lookAgainMs: 3_600_000 });
    try {
      const live = await call("GET", `/builds/${buildId}/log`);
      const heard = readEvents(live, (events) => events.some(({ event }) => event === "log"));
      await sleep(500);
      await appendLog(bare(buildId), attempt?.epoch ?? 0, [line(1)]);
      await heard;
    } finally {
      Object.assign(streamPace, { lookAgainMs });
    }
  });
});

describe("the event stream", () => {
  it("carries changes and log lines on one connection, from the cursors on", async () => {
    const { name, buildId } = await deploy();
    const { seq } = await database().event.findFirstOrThrow({ orderBy: { seq: "desc" } });
    const attempt = await claimBuild(bare(buildId), "worker", lease);
    const epoch = attempt?.epoch ?? 0;
    await appendLog(bare(buildId), epoch, lines(1, 4));
    const stream = await call("GET", `/events?events=${seq}&log=${buildId}:1:2`);
    const done = readEvents(
      stream,
      (events) =>
        events.filter(({ event }) => event === "log").length >= 4 &&
        events.filter(({ event }) => event === "change").length >= 2,
    );
    await sleep(100);
    await appendLog(bare(buildId), epoch, lines(5, 6));
    await succeedBuild(bare(buildId), epoch, { artifact: artifactOf(name) });
    const events = await done;
    expect(events.filter(({ event }) => event === "log").map(({ id }) => id)).toEqual([
      "1:3",
      "1:4",
      "1:5",
      "1:6",
    ]);
    const changes = events.filter(({ event }) => event === "change").map(({ data }) => data);
    expect(changes).toEqual(changes.map(({ seq: n }) => ({ seq: n, noun: "build", id: buildId })));
    const numbers = changes.map((change) => Number(change["seq"]));
    expect([...numbers].sort((a, b) => a - b)).toEqual(numbers);
    expect(numbers[0]).toBeGreaterThan(Number(seq));
  });

  it("skips no change, though many commit at once", async () => {
    const { seq } = await database().event.findFirstOrThrow({ orderBy: { seq: "desc" } });
    const stream = await call("GET", `/events?events=${seq}`);
    const count = 60;
    const done = readEvents(
      stream,
      (events) => events.filter(({ data }) => data["noun"] === "endpoint").length >= count,
    );
    const lanes = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const mine = [];
        for (let i = 0; i < count / 6; i++) mine.push(await deploy());
        return mine;
      }),
    );
    const deployed = lanes.flat();
    const told = (await done)
      .filter(({ data }) => data["noun"] === "endpoint")
      .map(({ data }) => data["id"]);
    expect([...told].sort()).toEqual(deployed.map(({ name }) => name).sort());
  });
});

describe("cancel and retry", () => {
  it("ends a waiting build at once; the end is no one's to cancel again", async () => {
    const { buildId } = await deploy();
    const answer = await call("POST", `/builds/${buildId}/cancel`, { json: {} });
    expect([answer.status, (await answer.json()).state]).toEqual([202, "cancelled"]);
    expect((await call("POST", `/builds/${buildId}/cancel`, { json: {} })).status).toBe(202);
    const again = await call("POST", `/builds/${buildId}/retry`, { json: {} });
    expect(again.status).toBe(202);
    const retried = await again.json();
    expect(retried).toMatchObject({ state: "queued" });
    expect(retried.id).not.toBe(buildId);
  });

  it("asks a running one, whose success then comes too late", async () => {
    const { name, buildId } = await deploy();
    const attempt = await claimBuild(bare(buildId), "worker", lease);
    const running = await (await call("POST", `/builds/${buildId}/cancel`, { json: {} })).json();
    expect(running).toMatchObject({ state: "preparing", cancelling: true });
    await expect(
      succeedBuild(bare(buildId), attempt?.epoch ?? 0, { artifact: artifactOf(name) }),
    ).rejects.toMatchObject({ reason: "CANCELLED" });
  });

  it("refuses a finished one", async () => {
    const { name, buildId } = await deploy();
    const attempt = await claimBuild(bare(buildId), "worker", lease);
    await succeedBuild(bare(buildId), attempt?.epoch ?? 0, { artifact: artifactOf(name) });
    const answer = await call("POST", `/builds/${buildId}/cancel`, { json: {} });
    expect([answer.status, (await answer.json()).error.reason]).toEqual([409, "STATE_CONFLICT"]);
  });
});

/** Answers waiting inspections as a worker would. */
function answerInspections(answer: (url: string) => Parameters<typeof finishInspection>[2]) {
  let isOver = false;
  const timer = setInterval(async () => {
    const waiting = await database().inspection.findMany({ where: { state: "queued" } });
    for (const { id, url } of waiting) {
      if (isOver) return;
      const claim = await claimInspection(id, "worker", 15);
      if (claim) await finishInspection(id, claim.epoch, answer(url));
    }
  }, 20);
  return () => {
    isOver = true;
    clearInterval(timer);
  };
}

const found = (digest: string): Inspection => ({
  format: "onnx",
  sizeBytes: 3,
  digest,
  inputs: [{ name: "x", datatype: "FP32", shape: [-1, 4] }],
  outputs: [{ name: "y", datatype: "FP32", shape: [-1, 3] }],
  layers: [],
  parameters: 9,
  engines: [{ id: "onnx", ok: true }],
});
const notAModel = {
  problem: {
    code: "invalid_argument",
    reason: "MODEL_IS_WEB_PAGE",
    message: "This is a web page.",
  },
} as const;

describe("models", () => {
  const upload = (content: string | Buffer<ArrayBuffer>, field = "file", name = "iris.onnx") => {
    const body = new FormData();
    body.append(field, new File([content], name));
    return call("POST", "/models", { body });
  };
  const stored = (): string[] => {
    try {
      const { STORAGE_DIR = "" } = process.env;
      return readdirSync(STORAGE_DIR, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.basename(entry.name));
    } catch {
      return [];
    }
  };

  it("keeps an upload that can be read, under its digest, and once", async () => {
    const bytes = Buffer.alloc(3 << 20, 7);
    const stop = answerInspections(() => ({ result: found(digestOf(bytes)) }));
    const answer = await upload(bytes);
    expect(answer.status).toBe(201);
    const model = await answer.json();
    const hex = digestOf(bytes).slice(7);
    expect(model).toMatchObject({
      url: `s3://uploads-00000000-0000-7000-8000-000000000001/${hex}`,
      name: "iris.onnx",
      digest: digestOf(bytes),
      sizeBytes: bytes.byteLength,
      format: "onnx",
      engines: [{ id: "onnx", ok: true }],
    });
    expect(stored()).toEqual([hex]);
    const again = await upload(bytes);
    stop();
    expect((await again.json()).id).toBe(model.id);
    expect((await (await call("GET", "/models")).json()).items).toHaveLength(1);
    expect((await call("GET", `/models/${model.id}`)).status).toBe(200);
    expect(
      (await call("POST", "/endpoints", { json: { ...fresh(), model: { url: model.url } } }))
        .status,
    ).toBe(202);
  });

  it("refuses one that says how large it is before anything of it is read", async () => {
    const sent = (length: number) =>
      call("POST", "/models", {
        body: "--x--\r\n",
        headers: {
          "content-type": "multipart/form-data; boundary=x",
          "content-length": String(length),
        },
      });
    const most = 512 * 1024 * 1024 + 64 * 1024;
    const answer = await sent(most + 1);
    const { reason, message } = (await answer.json()).error;
    expect([answer.status, reason]).toEqual([413, "BODY_TOO_LARGE"]);
    expect(message).toContain("512 MiB");
    // This one is read, and found to have no file.
    expect((await sent(most)).status).toBe(422);
  });

  it("keeps nothing of one that cannot", async () => {
    const [before, objects] = [await database().model.count(), stored()];
    const stop = answerInspections(() => notAModel);
    const answer = await upload("<html>");
    stop();
    expect([answer.status, (await answer.json()).error.reason]).toEqual([422, "MODEL_IS_WEB_PAGE"]);
    expect(await database().model.count()).toBe(before);
    expect(stored()).toEqual(objects);
  });

  it.each([
    ["an empty file", () => upload(""), 422, "MODEL_EMPTY"],
    ["another field", () => upload("abc", "model"), 422, "VALIDATION"],
    ["JSON", () => call("POST", "/models", { json: {} }), 415, "UNSUPPORTED_MEDIA_TYPE"],
    [
      "a broken body",
      () =>
        call("POST", "/models", {
          body: "--x\r\nnonsense",
          headers: { "content-type": "multipart/form-data; boundary=x" },
        }),
      422,
      "VALIDATION",
    ],
    [
      "no boundary",
      () =>
        call("POST", "/models", {
          body: "abc",
          headers: { "content-type": "multipart/form-data; a=b" },
        }),
      422,
      "VALIDATION",
    ],
  ])("%s is refused, and nothing stored", async (_why, send, status, reason) => {
    const objects = stored();
    const answer = await send();
    expect([answer.status, (await answer.json()).error.reason]).toEqual([status, reason]);
    expect(stored()).toEqual(objects);
  });

  it("are inspected without being stored", async () => {
    const url = "s3://boardwalk-samples/iris-mlp/model.onnx";
    const stop = answerInspections(() => ({ result: found(digestOf("abc")) }));
    const answer = await call("POST", "/models/inspect", { json: { url } });
    stop();
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ url, format: "onnx", inputs: [{ name: "x" }] });
    const refused = await call("POST", "/models/inspect", { json: { url: "https://10.0.0.1/m" } });
    expect([refused.status, (await refused.json()).error]).toMatchObject([
      422,
      { reason: "URL_NOT_ALLOWED", field: "url" },
    ]);
  });

  it("are polled for when nobody has inspected them yet", async () => {
    const answer = await call("POST", "/models/inspect", {
      json: { url: "s3://boardwalk-samples/slow/model.onnx" },
    });
    expect(answer.status).toBe(202);
    const { url, state } = await answer.json();
    expect(state).toBe("queued");
    expect(answer.headers.get("location")).toBe(url);
    const stop = answerInspections(() => notAModel);
    const polled = async () => await (await call("GET", url.slice("/api/v1".length))).json();
    await expect
      .poll(polled)
      .toMatchObject({ state: "failed", problem: { reason: "MODEL_IS_WEB_PAGE" } });
    stop();
  });
});

describe("what is here", () => {
  it("tells engines with their options, boards and models of boards", async () => {
    const engines = await (await call("GET", "/engines")).json();
    const boardwalk = engines.items.find(({ id }: { id: string }) => id === "boardwalk");
    expect(boardwalk.boards).toContain("icebreaker");
    expect(boardwalk.optionsSchema).toMatchObject({ type: "object" });
    const onnx = engines.items.find(({ id }: { id: string }) => id === "onnx");
    expect(onnx.boards).toEqual(["cpu"]);
    const models = await (await call("GET", "/board-models")).json();
    expect(models.items.find(({ id }: { id: string }) => id === "icebreaker")).toMatchObject({
      bitstreamNeeds: null,
      kinds: ["simulated"],
    });
    expect(models.items.find(({ id }: { id: string }) => id === "basys3")).toMatchObject({
      bitstreamNeeds: "Vivado",
      kinds: ["simulated"],
    });
    for (const id of ["zedboard", "ebaz4205", "alveo-u50"]) {
      expect(models.items.find((model: { id: string }) => model.id === id)).toMatchObject({
        verifiedOnHardware: false,
        aliases: id === "alveo-u50" ? ["alveou50"] : [],
      });
    }
    expect((await (await call("GET", "/boards")).json()).items).toEqual([]);
    const doctor = await (await call("GET", "/doctor")).json();
    expect(doctor.checks.find(({ name }: { name: string }) => name === "postgres")).toMatchObject({
      ok: true,
    });
    const code = await call("POST", "/boards/enrolments", { json: {} });
    expect(code.status).toBe(201);
    expect((await code.json()).code.length).toBeGreaterThan(20);
  });
});

describe("build workers in the doctor's answer", () => {
  const basm = { command: "basm", hint: "npm run setup -- bondmachine" };
  const machine = { command: "bondmachine", hint: "npm run setup -- bondmachine" };
  const lesser: Omit<BuildWorker, "seenAt"> = {
    name: "one-1",
    host: "one",
    sandbox: "none",
    mend: "unset SANDBOX",
    slots: 1,
    missing: [basm, machine],
    tools: { yosys: "Yosys 0.60" },
  };
  const whole: Omit<BuildWorker, "seenAt"> = {
    name: "two-1",
    host: "two",
    sandbox: "bubblewrap",
    mend: null,
    slots: 1,
    missing: [],
    tools: null,
  };
  const workers = async () => (await (await call("GET", "/doctor")).json()).buildWorkers;
  const silence = (name: string, seconds: number) =>
    database().$executeRaw`
      UPDATE build_worker SET seen_at = now() - make_interval(secs => ${seconds}::float8) WHERE name = ${name}`;

  it("are those that were heard of within a minute, with how they shut tools in", async () => {
    expect(await workers()).toEqual([]);
    await reportBuildWorker(whole);
    await reportBuildWorker(lesser);
    expect(await workers()).toMatchObject([lesser, whole]);
    await silence("one-1", 61);
    await silence("two-1", 30);
    expect(await workers()).toMatchObject([whole]);
    await reportBuildWorker({ ...lesser, sandbox: "setpriv" });
    expect(await workers()).toMatchObject([{ ...lesser, sandbox: "setpriv" }, whole]);
    await database().$executeRaw`DELETE FROM build_worker`;
  });

  it("are there while they are up, again after their row was lost, and not once they have stopped", async () => {
    const log = pino({ level: "silent" });
    let missing = [basm];
    const presence = startPresence({
      worker: lesser,
      findTools: async () => ({ missing, tools: { yosys: "Yosys 0.60" } }),
      log,
      everyMs: 20,
    });
    await expect.poll(workers, { timeout: 30_000 }).toMatchObject([{ ...lesser, missing: [basm] }]);
    missing = [basm, machine];
    await expect.poll(workers, { timeout: 30_000 }).toMatchObject([lesser]);
    await database().$executeRaw`DELETE FROM build_worker`;
    await expect.poll(workers, { timeout: 30_000 }).toMatchObject([lesser]);
    await presence.close();
    expect(await workers()).toEqual([]);
  });
});

describe("the tools of an engine", () => {
  const need = { hint: "npm run setup -- bondmachine" };
  const worker = (name: string, commands: readonly string[] | null) =>
    reportBuildWorker({
      name,
      host: name,
      sandbox: "bubblewrap",
      mend: null,
      tools: null,
      slots: 1,
      missing: commands?.map((command) => ({ command, ...need })) ?? null,
    });
  const lacking = async (engine: string) =>
    (await (await call("GET", "/engines")).json()).items.find(
      ({ id }: { id: string }) => id === engine,
    ).lacking;

  it("are told as lacking while build workers say so, with what brings them and for which boards", async () => {
    await worker("silent", null);
    expect(await lacking("bondmachine")).toEqual([]);
    await worker("one", ["basm", "bondmachine", "nextpnr-ecp5"]);
    const [ice40, ecp5] = await lacking("bondmachine");
    expect(ice40).toMatchObject({
      tools: [
        { command: "basm", ...need },
        { command: "bondmachine", ...need },
      ],
      workers: 1,
      of: 1,
    });
    expect(ice40.boards).toContain("icebreaker");
    expect(ecp5.tools).toHaveLength(3);
    expect(ecp5.boards).not.toContain("icebreaker");
    expect(await lacking("onnx")).toEqual([]);

    await worker("two", []);
    expect((await lacking("bondmachine"))[0]).toMatchObject({ workers: 1, of: 2 });
    await worker("one", []);
    expect(await lacking("bondmachine")).toEqual([]);
    await database().$executeRaw`DELETE FROM build_worker`;
  });
});

describe("when every connection of the process is taken", () => {
  /** Holds one connection until `freed`. */
  async function hold(freed: Promise<void>): Promise<{ readonly ended: Promise<void> }> {
    const { promise: begun, resolve: begin } = withResolvers();
    const ended = withTransaction(
      async (tx) => {
        await tx.$queryRaw`SELECT 1`;
        begin();
        await freed;
      },
      { timeoutMs: 60_000 },
    );
    await Promise.race([begun, ended]);
    return { ended };
  }

  it("answers 503 while they are, says when to come back, and goes on once one is free", async () => {
    await closeDatabase();
    const { databaseEnv } = await import("@/lib/server/env");
    const { DATABASE_POOL } = databaseEnv();
    Object.assign(databaseEnv(), { DATABASE_POOL: 2 });
    const { promise: freed, resolve: free } = withResolvers();
    const held = [await hold(freed), await hold(freed)];
    const request = fresh();
    const refused = await Promise.all([
      call("GET", "/builds"),
      call("POST", "/endpoints", { json: request }),
    ]);
    free();
    await Promise.all(held.map(({ ended }) => ended));
    for (const answer of refused) {
      const { error } = await answer.json();
      expect([answer.status, error.reason]).toEqual([503, "STORE_UNAVAILABLE"]);
      expect(answer.headers.get("retry-after")).toBe("2");
    }
    expect(await database().endpoint.count({ where: { name: request.name } })).toBe(0);
    expect((await call("POST", "/endpoints", { json: request })).status).toBe(202);
    await closeDatabase();
    Object.assign(databaseEnv(), { DATABASE_POOL });
  });
});

describe("when Postgres is away", () => {
  it("answers 503 within seconds, says when to come back, and shows nothing of the cause", async () => {
    const { DATABASE_URL = "" } = process.env;
    await closeDatabase();
    const { databaseEnv } = await import("@/lib/server/env");
    Object.assign(databaseEnv(), { DATABASE_URL: "postgresql://postgres@127.0.0.1:1/none" });
    const answer = await call("POST", "/endpoints", { json: fresh() });
    const doctor = await (await call("GET", "/doctor")).json();
    await closeDatabase();
    Object.assign(databaseEnv(), { DATABASE_URL });
    const { error } = await answer.json();
    expect([answer.status, error.reason]).toEqual([503, "STORE_UNAVAILABLE"]);
    expect(answer.headers.get("retry-after")).toBe("2");
    expect(JSON.stringify(error)).not.toContain("127.0.0.1");
    expect(doctor).toMatchObject({ ok: false, buildWorkers: null });
    expect((await call("GET", "/builds")).status).toBe(200);
  });
});
