import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { holdObject, releaseObject } from "@/domain/artifacts";
import { claimBuild, requeue } from "@/domain/builds";
import { readInstallation } from "@/domain/installation";
import { expireLeases } from "@/domain/reconcile";
import { database, sql, withTransaction } from "@/lib/server/db";
import { digestOf, hexOf } from "@/lib/server/digest";
import { logger } from "@/lib/server/logger";
import { type Consumer, createProducer, type Producer, startConsumer } from "@/lib/server/queue";
import { buckets, FileStore } from "@/lib/server/storage";
import { deploy } from "@/tests/support/deploy";
import { installationLines, leaderLines } from "@/workers/control/installation-lines";
import { startReconciler } from "@/workers/control/reconciler";
import { startRelay } from "@/workers/control/relay";
import { sweepObjects } from "@/workers/control/sweep-objects";
import { bare, iris, openDatabase, scope } from "../support/domain";
import { withResolvers } from "../support/with-resolvers";
import { startRedis, type TestRedis } from "./redis-server";

openDatabase();

let redis: TestRedis;
let producer: Producer;
let consumer: Consumer;
let delivered: string[] = [];
const open: { close(): Promise<void> }[] = [];
const log = logger();
const store = new FileStore(mkdtempSync(join(tmpdir(), "bw-objects-")));
const pace = { sweepS: 0.2, log } as const;

beforeAll(async () => {
  redis = await startRedis();
});
beforeEach(() => {
  delivered = [];
  producer = createProducer({ url: redis.url, onError: () => {} });
  consumer = startConsumer({
    url: redis.url,
    queue: "build",
    concurrency: 4,
    onError: () => {},
    run: async (payload) => {
      delivered.push((payload as { buildId: string }).buildId);
    },
  });
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
  await consumer.close();
  await producer.close();
});
afterAll(() => redis.stop());

const relay = () => open.push(startRelay({ ...pace, producer }));
const reconcile = (graceS: number) => {
  const reconciler = startReconciler({ ...pace, producer, store, graceS });
  open.push(reconciler);
  return reconciler;
};
let made = 0;
const submit = async () => bare((await deploy(scope, iris(`iris-${++made}`))).buildId);
const rowOf = (id: string) => database().build.findUniqueOrThrow({ where: { id } });
const unpublished = () => database().outbox.count({ where: { publishedAt: null } });
/** What the control process tells of the installation under this name. */
async function metric(name: string): Promise<number> {
  const lines = [...installationLines(await readInstallation())].join("\n");
  return Number(new RegExp(`^boardwalk_${name} (.*)$`, "m").exec(lines)?.[1] ?? Number.NaN);
}
const term = async () =>
  (await database().singleton.findUnique({ where: { key: "reconciler" } }))?.term ?? 0;

describe("relay", () => {
  it("delivers a job as soon as its build is committed", async () => {
    open.push(startRelay({ producer, log, sweepS: 60 }));
    await expect.poll(() => producer.isLive("build", "x").catch(() => null)).toBe(false);
    const id = await submit();
    // Far sooner than the next sweep.
    await expect.poll(() => delivered, { interval: 5, timeout: 30_000 }).toContain(id);
  });

  it("delivers what waited while Redis was away, and submits are taken meanwhile", async () => {
    relay();
    await redis.kill();
    const ids = [await submit(), await submit()];
    await redis.start();
    await expect.poll(() => delivered, { timeout: 40_000 }).toEqual(expect.arrayContaining(ids));
  });

  it("publishes all that was submitted while none ran, without waiting for a sweep", async () => {
    const id = await submit();
    // More than it takes at a time, submitted for an hour.
    const rows = await database().$queryRaw<{ jobId: string }[]>`
      INSERT INTO outbox (queue, job_id, payload, created_at)
      SELECT 'build', 'build-' || id || '-1', jsonb_build_object('buildId', id), now() - make_interval(secs => n * 14)
      FROM (SELECT gen_random_uuid() AS id, n FROM generate_series(1, 250) n) waiting
      RETURNING job_id AS "jobId"`;
    const ids = [id, ...rows.map(({ jobId }) => jobId.slice("build-".length, -"-1".length))];
    expect(await unpublished()).toBe(ids.length);
    expect(await metric("outbox_rows")).toBe(ids.length);
    expect(await metric("outbox_oldest_seconds")).toBeGreaterThan(3400);
    expect(delivered).toEqual([]);
    open.push(startRelay({ producer, log, sweepS: 3600 }));
    await expect.poll(() => delivered, { timeout: 60_000 }).toEqual(expect.arrayContaining(ids));
    await expect.poll(unpublished, { timeout: 20_000 }).toBe(0);
    expect(await metric("outbox_oldest_seconds")).toBe(0);
  });

  it("leaves nothing unpublished with two of it, and a second delivery claims nothing", async () => {
    relay();
    relay();
    const ids: string[] = [];
    // No more at once than there are connections: a machine that is busy refuses whoever waits for one.
    for (let wave = 0; wave < 4; wave++)
      ids.push(...(await Promise.all(Array.from({ length: 5 }, submit))));
    await expect.poll(() => delivered, { timeout: 20_000 }).toEqual(expect.arrayContaining(ids));
    const claims = await Promise.all(
      [1, 2, 3].map(() => claimBuild(ids[0] ?? "", "w", { leaseS: 60, deadlineS: 60 })),
    );
    expect(claims.filter(Boolean)).toHaveLength(1);
    await expect.poll(unpublished).toBe(0);
  });
});

describe("reconciler", () => {
  it("gives a lost job again after Redis came back empty", async () => {
    await consumer.close();
    relay();
    const id = await submit();
    await expect.poll(unpublished).toBe(0);
    await redis.kill();
    await redis.start();
    consumer = startConsumer({
      url: redis.url,
      queue: "build",
      concurrency: 1,
      onError: () => {},
      run: async (payload) => {
        delivered.push((payload as { buildId: string }).buildId);
      },
    });
    reconcile(60);
    await expect.poll(() => delivered, { timeout: 60_000 }).toContain(id);
  });

  it("puts a build of a lost worker back into the queue, but not within its grace", async () => {
    relay();
    const id = await submit();
    await expect.poll(() => delivered, { timeout: 20_000 }).toContain(id);
    await claimBuild(id, "dies", { leaseS: 0.1, deadlineS: 600 });
    reconcile(1.5);
    const started = performance.now();
    await expect
      .poll(() => delivered.filter((each) => each === id).length, { timeout: 30_000 })
      .toBeGreaterThan(1);
    expect(performance.now() - started).toBeGreaterThan(1200);
    expect(await rowOf(id)).toMatchObject({ state: "queued", chargedAttempts: 1, leaseEpoch: 1 });
  });

  it("changes nothing where it comes late, since the next leader was there before", async () => {
    const id = await submit();
    await claimBuild(id, "dies", { leaseS: 0, deadlineS: 600 });
    const { promise: begun, resolve: begin } = withResolvers();
    const { promise: over, resolve: end } = withResolvers();
    const charge = {
      buildId: id,
      actor: "reconciler",
      reason: "LEASE_LOST",
      charge: true,
    } as const;
    const next = withTransaction(
      async (tx) => {
        expect(await requeue(tx, { ...charge, where: sql`TRUE` })).toBe(true);
        begin();
        await over;
      },
      { timeoutMs: 60_000 },
    );
    await Promise.race([begun, next]);
    // The former leader still sees a silent worker, and comes to write only after the next one has.
    const late = expireLeases();
    const waiting = () => database().$queryRaw<object[]>`
      SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await expect.poll(waiting, { timeout: 20_000 }).not.toEqual([]);
    end();
    await Promise.all([next, late]);
    expect(await rowOf(id)).toMatchObject({ state: "queued", chargedAttempts: 1, jobs: 2 });
    expect(await database().transition.count({ where: { buildId: id } })).toBe(3);
  });

  it("tells of silent workers until it has taken their builds back, and whether it leads", async () => {
    // What earlier tests claimed is not this one's.
    await database()
      .$executeRaw`UPDATE build SET lease_until = now() + interval '1 hour' WHERE lease_until IS NOT NULL`;
    expect(await metric("leases_overdue")).toBe(0);
    await claimBuild(await submit(), "silent", { leaseS: 0, deadlineS: 600 });
    expect(await metric("leases_overdue")).toBe(1);
    const first = reconcile(0);
    const shown = ({ leads }: { readonly leads: boolean }) => [...leaderLines(leads)].at(-1);
    await expect.poll(() => shown(first), { timeout: 20_000 }).toBe("boardwalk_leader 1");
    await expect.poll(() => metric("leases_overdue"), { timeout: 30_000 }).toBe(0);
    const second = reconcile(0);
    expect(shown(second)).toBe("boardwalk_leader 0");
    await open.splice(open.indexOf(first), 1)[0]?.close();
    expect(shown(first)).toBe("boardwalk_leader 0");
    await expect.poll(() => shown(second), { timeout: 20_000 }).toBe("boardwalk_leader 1");
  });

  it("is led by one process, and by the next when that one loses its connection", async () => {
    const before = await term();
    reconcile(60);
    reconcile(60);
    await expect.poll(term).toBe(before + 1);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(await term()).toBe(before + 1);
    const ended = await database().$executeRaw`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'boardwalk-leader' AND datname = current_database()`;
    expect(ended).toBeGreaterThan(0);
    await expect.poll(term).toBe(before + 2);
  });
});

describe("sweepObjects", () => {
  const age = () =>
    database().$executeRaw`UPDATE object_hold SET until = until - interval '25 hours'`;

  it("deletes what no row has named for a day by the database's clock, and nothing else", async () => {
    for (const bucket of [buckets.artifacts, buckets.attempts]) {
      await store.ensureBucket(bucket);
      await store.put(bucket, "orphan", Buffer.from("x"), { sizeBytes: 1 });
    }
    expect(await sweepObjects(store)).toBe(0);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3 * 365 * 24 * 3600 * 1000 });
    try {
      expect(await sweepObjects(store)).toBe(0);
    } finally {
      vi.useRealTimers();
    }
    await age();
    // Somebody stores the same bytes again at this moment.
    const hold = await holdObject({ bucket: buckets.artifacts, key: "orphan" });
    expect(await sweepObjects(store)).toBe(1);
    expect(await store.head(buckets.attempts, "orphan")).toBeNull();
    expect(await store.head(buckets.artifacts, "orphan")).not.toBeNull();
    await age();
    await releaseObject(store, hold);
    expect(await store.head(buckets.artifacts, "orphan")).toBeNull();
  });

  it("an upload that fails leaves the bytes that another one is storing, and those that a model names", async () => {
    const bytes = Buffer.from("the same model");
    const at = { bucket: buckets.samples, key: hexOf(digestOf(bytes)) };
    await store.ensureBucket(at.bucket);
    const [failing, other] = [
      await holdObject(at, { forS: 60 }),
      await holdObject(at, { forS: 60 }),
    ];
    await store.put(at.bucket, at.key, bytes, { sizeBytes: bytes.length });
    await releaseObject(store, failing);
    expect(await store.head(at.bucket, at.key)).not.toBeNull();
    await database().$executeRaw`
      INSERT INTO model (id, project_id, name, url, source, digest, size_bytes, inspection)
      VALUES (gen_random_uuid(), ${scope}::uuid, 'm', ${`s3://${at.bucket}/${at.key}`}, 'file:m', ${digestOf(bytes)}, 1, '{}')`;
    await releaseObject(store, other);
    expect(await store.head(at.bucket, at.key)).not.toBeNull();
    await database().$executeRaw`DELETE FROM model`;
    await releaseObject(store, await holdObject(at, { forS: 60 }));
    expect(await store.head(at.bucket, at.key)).toBeNull();
  });
});
