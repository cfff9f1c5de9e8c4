import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { reportBuildWorker, withdrawBuildWorker } from "@/domain/build-workers";
import {
  appendLog,
  claimBuild,
  compactLog,
  createBuild,
  failBuild,
  getBuildQueue,
  getBuildTimeline,
  getBuildTrend,
  getLogDifference,
  getLogOutline,
  readLog,
  saveStages,
  searchLog,
  setRunning,
} from "@/domain/builds";
import type { LogLine, Stage } from "@/lib/common/contract";
import { emptyOutline, extendOutline } from "@/lib/common/log-outline";
import { database, toId, withTransaction } from "@/lib/server/db";
import { objectStore } from "@/lib/server/storage";
import { iris, openDatabase, scope, worker } from "../support/domain";
import { fillLists } from "../support/fill-lists";

openDatabase();
process.env["STORAGE_DIR"] = mkdtempSync(join(tmpdir(), "bw-stories-"));

const lease = { leaseS: 60, deadlineS: 600 };

/** A build whose job is on the queue. */
async function submit(): Promise<string> {
  const { name: endpointName, ...request } = iris("iris");
  const id = await withTransaction((tx) =>
    createBuild(tx, {
      ...{ projectId: scope, request, boardModel: "icebreaker", boardKind: "simulated" },
      endpointName,
    }),
  );
  await publishAll();
  return id;
}

const publishAll = () => database().$executeRaw`UPDATE outbox SET published_at = now()`;

const shown = (id: string) => toId("bld", id);
const median = (values: readonly number[]) => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
};

describe("what is usual", () => {
  it("is told as unknown before there is any build", async () => {
    const id = await submit();
    const { usual, wait } = await getBuildTimeline(scope, shown(id));
    expect(usual).toEqual({ builds: 0, total: null, stages: [] });
    expect(wait).toMatchObject({
      reason: "no-worker",
      place: 1,
      waiting: 1,
      expectedStartAt: null,
    });
    await database().$executeRaw`DELETE FROM build`;
  });

  it("is the median of the last fifty builds of the engine and the board, as SQL has it", async () => {
    await fillLists(process.env["DATABASE_URL"] ?? "", {
      builds: 3000,
      endpoints: 1,
      underWay: false,
    });
    await database().$executeRaw`
      UPDATE attempt SET started_at = b.started_at, stages = jsonb_build_array(
        jsonb_build_object('name', 'place', 'state', 'succeeded', 'durationMs', (random() * 60000)::int,
          'startedAt', to_jsonb(b.started_at + interval '3 s')),
        jsonb_build_object('name', 'pack', 'state', 'skipped', 'durationMs', NULL))
      FROM build b WHERE b.id = attempt.build_id`;
    const id = await submit();
    const { usual } = await getBuildTimeline(scope, shown(id));
    const rows = await database().$queryRaw<{ took: number; place: number }[]>`
      SELECT extract(epoch FROM b.ended_at - b.started_at)::float8 * 1000 AS took,
        (a.stages -> 0 ->> 'durationMs')::float8 AS place
      FROM build b JOIN attempt a ON a.build_id = b.id
      WHERE b.engine = 'boardwalk' AND b.board_model = 'icebreaker' AND b.state = 'succeeded' ORDER BY b.id DESC LIMIT 50`;
    expect(rows).toHaveLength(50);
    expect(usual.builds).toBe(50);
    expect(usual.total?.medianMs).toBeCloseTo(median(rows.map(({ took }) => took)), 3);
    expect(usual.stages.map(({ name, builds }) => [name, builds])).toEqual([["place", 50]]);
    expect(usual.stages[0]?.medianMs).toBeCloseTo(median(rows.map(({ place }) => place)), 3);
    expect(usual.stages[0]?.startMs).toBeCloseTo(3000, -1);
    await database().$executeRaw`DELETE FROM build WHERE id = ${id}::uuid`;
  });
});

describe("the queue", () => {
  it("says at once that no worker is alive: when it took leave, and when it fell silent", async () => {
    const id = await submit();
    const reason = async () => (await getBuildTimeline(scope, shown(id))).wait?.reason;
    await reportBuildWorker(worker);
    expect(await reason()).toBe("next");
    await database().$executeRaw`UPDATE build_worker SET seen_at = now() - interval '13 s'`;
    expect(await reason()).toBe("no-worker");
    expect((await getBuildQueue(scope)).lastSeenAt).not.toBeNull();
    await reportBuildWorker(worker);
    await withdrawBuildWorker(worker.name);
    expect(await reason()).toBe("no-worker");
    expect(await getBuildQueue(scope)).toMatchObject({ workers: [], lastSeenAt: null, waiting: 1 });
    await database().$executeRaw`DELETE FROM build WHERE id = ${id}::uuid`;
  });

  it("says that it is away itself once a job was not put on it for ten seconds", async () => {
    await reportBuildWorker(worker);
    const id = await submit();
    const wait = async () => (await getBuildTimeline(scope, shown(id))).wait;
    const write = (agoS: number) => database().$executeRaw`
      UPDATE outbox SET published_at = NULL, created_at = now() - make_interval(secs => ${agoS})`;
    await write(0);
    expect(await wait()).toMatchObject({ reason: "next", expectedStartAt: expect.anything() });
    await write(11);
    expect(await wait()).toMatchObject({ reason: "no-queue", place: 1, expectedStartAt: null });
    await publishAll();
    expect(await wait()).toMatchObject({ reason: "next" });
    await database().$executeRaw`DELETE FROM build WHERE id = ${id}::uuid`;
  });

  it("tells each build its place and when it is expected to begin, in the order of being taken", async () => {
    await reportBuildWorker(worker);
    const ids = [await submit(), await submit(), await submit()];
    const [first = "", second = "", third = ""] = ids;
    await claimBuild(first, worker.name, lease);
    const { usual, wait } = await getBuildTimeline(scope, shown(third));
    expect(wait).toMatchObject({
      reason: "workers-busy",
      place: 2,
      waiting: 2,
      workers: 1,
      slots: 1,
    });
    const startOf = async (id: string) =>
      Date.parse((await getBuildTimeline(scope, shown(id))).wait?.expectedStartAt ?? "");
    const apart = (await startOf(third)) - (await startOf(second));
    expect(Math.abs(apart - (usual.total?.medianMs ?? 0))).toBeLessThan(2000);
    const queue = await getBuildQueue(scope);
    expect(queue).toMatchObject({
      running: 1,
      waiting: 2,
      workers: [{ host: "here", running: 1 }],
    });
    expect(queue.next.map(({ id, wait: { place } }) => [id, place])).toEqual([
      [shown(second), 1],
      [shown(third), 2],
    ]);
    await withdrawBuildWorker(worker.name);
    await database().$executeRaw`DELETE FROM build WHERE id = ANY(${ids}::uuid[])`;
  });
});

describe("a timeline", () => {
  it("tells when a build waited, and what each attempt did, ended as the build was", async () => {
    const id = await submit();
    const claimed = await claimBuild(id, "w", lease);
    const epoch = claimed?.epoch ?? 0;
    await setRunning(id, epoch, 42_000);
    const now = new Date().toISOString();
    const run = { startedAt: now, endedAt: null, state: "running" } as const;
    const stages: Stage[] = [
      { name: "place", state: "running", durationMs: null, startedAt: now, runs: [run] },
    ];
    await saveStages(id, epoch, stages);
    const running = await getBuildTimeline(scope, shown(id));
    expect(running).toMatchObject({
      expectedMs: 42_000,
      wait: null,
      queued: [{ to: expect.any(String) }],
      attempts: [{ attempt: 1, endedAt: null, stages: [{ state: "running", runs: [run] }] }],
    });
    const problem = { code: "internal", reason: "TOOL_FAILED", message: "it broke" } as const;
    await failBuild(id, epoch, problem, "failed");
    const [attempt] = (await getBuildTimeline(scope, shown(id))).attempts;
    expect(attempt).toMatchObject({
      outcome: "failed",
      stages: [{ state: "failed", runs: [{ state: "failed", endedAt: attempt?.endedAt }] }],
    });
  });
});

describe("a trend", () => {
  it.each([
    ["24h", 24, 3600],
    ["7d", 7, 86_400],
  ] as const)("of %s counts what the database counts", async (window, steps, stepS) => {
    const trend = await getBuildTrend(scope, window);
    expect(trend.steps).toHaveLength(steps);
    const [counted] = await database().$queryRaw<{ failed: number; all: number }[]>`
      SELECT count(*) FILTER (WHERE state IN ('failed', 'timed_out'))::int AS failed, count(*)::int AS all
      FROM build WHERE created_at > now() - make_interval(secs => ${steps * stepS}::float8)`;
    const sum = (of: (step: (typeof trend.steps)[number]) => number) =>
      trend.steps.reduce((all, step) => all + of(step), 0);
    expect(sum(({ failed }) => failed)).toBe(counted?.failed);
    expect(
      sum((step) => step.succeeded + step.reused + step.failed + step.cancelled + step.underWay),
    ).toBe(counted?.all);
  });

  it("has the last ten builds of each model, the newest last", async () => {
    const { models } = await getBuildTrend(scope, "24h");
    expect(models.length).toBeGreaterThan(3);
    for (const { modelUrl, builds } of models) {
      const rows = await database().build.findMany({
        where: { projectId: scope, modelUrl },
        orderBy: { id: "desc" },
        take: 10,
      });
      expect(builds.map(({ id }) => id)).toEqual(rows.map(({ id }) => shown(id)).reverse());
    }
  });
});

describe("a log", () => {
  const line = (n: number): LogLine => ({
    n,
    time: new Date(1_800_000_000_000 + n).toISOString(),
    stage: n <= 2000 ? "synthesise" : "place",
    stream: "stdout",
    level: n % 500 === 0 ? "warning" : n === 2600 ? "error" : "info",
    text: n % 7 === 0 ? `\u001b[32mNee\u001b[0mdle ${n}` : `hay ${n}`,
  });
  const lines = Array.from({ length: 3000 }, (_, index) => line(index + 1));
  const plain = (all: readonly LogLine[]) => all.map(({ offset: _, ...rest }) => rest);
  let id = "";
  let epoch = 0;

  beforeAll(async () => {
    id = await submit();
    epoch = (await claimBuild(id, "w", lease))?.epoch ?? 0;
    for (let at = 0; at < lines.length; at += 400)
      await appendLog(id, epoch, lines.slice(at, at + 400));
  });

  const check = async () => {
    const outline = await getLogOutline(scope, shown(id), epoch);
    expect(outline).toMatchObject(extendOutline(emptyOutline, lines));
    const found = await searchLog(scope, shown(id), { text: "needle", isExact: false });
    const wanted = lines.filter(({ n }) => n % 7 === 0);
    expect(found.total).toBe(wanted.length);
    expect(found.numbers).toEqual(wanted.map(({ n }) => n));
    expect(found.stages).toEqual([
      { stage: "synthesise", count: wanted.filter(({ n }) => n <= 2000).length },
      { stage: "place", count: wanted.filter(({ n }) => n > 2000).length },
    ]);
    expect((await searchLog(scope, shown(id), { text: "needle", isExact: true })).total).toBe(0);
    const pattern = { text: "need.e\\b", isExact: false, isPattern: true };
    expect(await searchLog(scope, shown(id), pattern)).toEqual(found);
    const page = await readLog(scope, shown(id), { from: 1990, limit: 20 });
    expect(plain(page.lines)).toEqual(lines.slice(1989, 2009));
  };

  it("is told in outline and searched while it lies in the database", check);

  it("is so after it has moved to the store, and where no outline was kept", async () => {
    const problem = { code: "internal", reason: "TOOL_FAILED", message: "it broke" } as const;
    await failBuild(id, epoch, problem, "failed");
    expect(await compactLog(id, epoch, objectStore())).toBe(true);
    await check();
    await database()
      .$executeRaw`UPDATE attempt SET log_outline = NULL WHERE build_id = ${id}::uuid`;
    await check();
    const [{ kept }] = await database().$queryRaw<[{ kept: boolean }]>`
      SELECT log_outline IS NOT NULL AS kept FROM attempt WHERE build_id = ${id}::uuid`;
    expect(kept).toBe(true);
  });
});

describe("two logs", () => {
  const say = (texts: readonly string[], from = 1): LogLine[] =>
    texts.map((text, index) => ({
      ...{ n: from + index, time: new Date(1_800_000_000_000).toISOString(), text },
      ...{ stage: "place" as const, stream: "stdout" as const, level: "info" as const },
    }));
  const begun = async (texts: readonly string[]) => {
    const id = await submit();
    const epoch = (await claimBuild(id, "w", lease))?.epoch ?? 0;
    await appendLog(id, epoch, say(texts));
    return { id, epoch };
  };
  const end = ({ id, epoch }: { id: string; epoch: number }) =>
    failBuild(
      id,
      epoch,
      { code: "internal", reason: "TOOL_FAILED", message: "it broke" },
      "failed",
    );

  it("differ first where the design does, not where the clock of the machine does", async () => {
    const one = await begun(["placed in 0.05s", "", "in /tmp/bw-a-1/top.json", "48.2 MHz", "end"]);
    const other = await begun(["placed in 1.50s", "in /tmp/bw-b-2/top.json", "51.0 MHz", "end"]);
    expect(await getLogDifference(scope, shown(one.id), shown(other.id))).toEqual({
      ...{ same: 2, final: false },
      first: {
        here: { attempt: 1, line: { n: 4, stage: "place", level: "info", text: "48.2 MHz" } },
        there: { attempt: 1, line: { n: 3, stage: "place", level: "info", text: "51.0 MHz" } },
      },
    });
    // The same from the store as from the database.
    await end(one);
    await compactLog(one.id, one.epoch, objectStore());
    const after = await getLogDifference(scope, shown(one.id), shown(other.id));
    expect(after).toMatchObject({ same: 2, first: { here: { line: { n: 4 } } } });
  });

  it("differ where one ends only once it can go on no more", async () => {
    const short = await begun(["one"]);
    const long = await begun(["one", "two"]);
    await end(long);
    const asked = () => getLogDifference(scope, shown(short.id), shown(long.id));
    expect(await asked()).toEqual({ same: 1, first: null, final: false });
    await end(short);
    expect(await asked()).toMatchObject({
      ...{ same: 1, final: true },
      first: { here: { line: null }, there: { line: { n: 2, text: "two" } } },
    });
    expect(await getLogDifference(scope, shown(long.id), shown(long.id))).toEqual({
      ...{ same: 2, first: null, final: true },
    });
  });

  it("of builds that are not there are not compared", async () => {
    const { id } = await begun([]);
    await expect(getLogDifference(scope, shown(id), "bld_nothing")).rejects.toThrow(
      expect.objectContaining({ reason: "BUILD_UNKNOWN" }),
    );
  });
});
