import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addProof, markDamaged, markSound, refuseArtifact } from "@/domain/artifacts";
import {
  allowedTransitions,
  appendLog,
  cancelBuild,
  claimBuild,
  compactLog,
  createBuild,
  failBuild,
  findReusable,
  getBuild,
  getBuildOverview,
  handBackBuild,
  listBuilds,
  readLog,
  recordModel,
  renewLease,
  retryBuild,
  saveStages,
  setRunning,
  succeedBuild,
  takePlan,
} from "@/domain/builds";
import { getBuiltBoards, getEqualBuilds } from "@/domain/forecasts";
import { endLeasesOfDeadWorkers } from "@/domain/leases";
import { markPublished, takeOutbox } from "@/domain/outbox";
import { cancelOrphans, endDeadlines, expireLeases, republishOutbox } from "@/domain/reconcile";
import { finalBuildStates, type LogLine, type Report, type Scope } from "@/lib/common/contract";
import { isAppError } from "@/lib/common/errors";
import { database, parseId, toId, uuidv7, withTransaction } from "@/lib/server/db";
import { buckets, objectStore } from "@/lib/server/storage";
import { artifactOf, iris, openDatabase, scope } from "../support/domain";
import { flip, LyingStore } from "../support/lying-store";

openDatabase();

const lease = { leaseS: 60, deadlineS: 600 };
const problem = { code: "internal", reason: "TOOL_FAILED", message: "it broke" } as const;

async function submit(name = "iris"): Promise<string> {
  const { name: endpointName, ...request } = iris(name);
  return await withTransaction((tx) =>
    createBuild(tx, {
      projectId: scope,
      request,
      boardModel: "icebreaker",
      boardKind: "simulated",
      endpointName,
    }),
  );
}

async function claimed(): Promise<{ id: string; epoch: number }> {
  const id = await submit();
  const attempt = await claimBuild(id, "worker-a", lease);
  return { id, epoch: attempt?.epoch ?? 0 };
}

const line = (n: number, text = `line ${n}`): LogLine => ({
  n,
  time: "2026-01-01T00:00:00.000Z",
  stage: "synthesise",
  stream: "stdout",
  level: "info",
  text,
});

/** The rows of a build must tell one story; answers what is wrong with it. */
async function audit(id: string): Promise<string[]> {
  const build = await database().build.findUniqueOrThrow({
    where: { id },
    include: { transitions: { orderBy: { id: "asc" } }, attempts: true },
  });
  const wrong: string[] = [];
  const legal: Readonly<Record<string, readonly string[]>> = allowedTransitions;
  let state: string | null = null;
  for (const { fromState, toState } of build.transitions) {
    if (fromState !== state) wrong.push(`R3: ${fromState} does not follow ${state}`);
    if (fromState && !legal[fromState]?.includes(toState))
      wrong.push(`R3: ${fromState} → ${toState}`);
    state = toState;
  }
  if (state !== build.state) wrong.push(`R3: told ${state}, is ${build.state}`);
  const ends = build.transitions.filter(({ toState }) => finalBuildStates.has(toState as never));
  if (ends.length > 1) wrong.push("R1: more than one end");
  const told = await database().event.count({ where: { onceKey: `build.ended:${id}` } });
  if (build.cancelRequestedAt && ends.length > 0 && build.state !== "cancelled")
    wrong.push(`R12: ${build.state} though cancelled before`);
  if (told !== ends.length) wrong.push(`R4: ended ${ends.length} times, told ${told} times`);
  if (build.state === "succeeded" && !build.artifactDigest) wrong.push("R4: no artifact");
  if (build.state !== "succeeded" && build.artifactDigest) wrong.push("R4: an artifact too early");
  if (build.attempts.length !== build.leaseEpoch) wrong.push("R5: attempts and epochs differ");
  const open = build.attempts.filter(({ endedAt }) => endedAt === null);
  const isHeld = build.state === "preparing" || build.state === "running";
  if (open.length !== (isHeld ? 1 : 0)) wrong.push(`R5: ${open.length} open attempts`);
  return wrong;
}

describe("the overview of a day", () => {
  const day = uuidv7() as Scope;
  const request = async (endpointName: string | null) => {
    const { name: _, ...asked } = iris("iris");
    return await withTransaction((tx) =>
      createBuild(tx, {
        projectId: day,
        request: asked,
        boardModel: "icebreaker",
        boardKind: "simulated",
        endpointName,
      }),
    );
  };
  const age = async (id: string, hours: number) =>
    await database().$executeRaw`
      UPDATE build SET created_at = now() - make_interval(mins => ${hours * 60 + 1}::int) WHERE id = ${id}::uuid`;
  const failIt = async (id: string) => {
    const attempt = await claimBuild(id, "w", lease);
    await failBuild(id, attempt?.epoch ?? 0, problem, "failed");
  };

  it("counts every build, more than a page of a list holds, hour by hour", async () => {
    await database().project.create({ data: { id: day, name: "day" } });
    await database().projectQuota.create({ data: { projectId: day } });
    const ids: string[] = [];
    for (let n = 0; n < 60; n++) ids.push(await request(`e${n}`));
    await Promise.all(ids.slice(0, 20).map((id) => age(id, 23)));
    await age(ids[20] ?? "", 25);
    const [failed = "", again = "", cancelled = "", made = "", equal = ""] = ids.slice(21);
    await failIt(failed);
    await failIt(again);
    await cancelBuild(day, toId("bld", cancelled));
    for (const [id, seed] of [
      [made, "day"],
      [equal, "day"],
    ] as const) {
      const attempt = await claimBuild(id, "w", lease);
      await succeedBuild(id, attempt?.epoch ?? 0, { artifact: artifactOf(seed) });
    }
    const overview = await getBuildOverview(day);
    const total = overview.hours
      .flatMap((counts) => Object.values(counts))
      .reduce((sum, count) => sum + count, 0);
    expect(total).toBe(59);
    expect(overview.hours).toHaveLength(24);
    expect(overview.hours[0]).toMatchObject({ underWay: 20 });
    expect(overview.hours[23]).toEqual({
      succeeded: 1,
      reused: 1,
      failed: 2,
      cancelled: 1,
      underWay: 34,
    });
    expect(overview.underWay).toBe(55);
    expect(overview.medianMs).toBeGreaterThan(0);
    expect(overview.newest.map(({ id }) => id)).toEqual(
      ids
        .slice(-5)
        .reverse()
        .map((id) => toId("bld", id)),
    );
  });

  it("names the failures that still need somebody: their endpoint is there, and nothing better came since", async () => {
    const names = async () =>
      (await getBuildOverview(day)).failures.map((each) => each.endpointName);
    // The endpoints of the builds above were never made.
    expect(await names()).toEqual([]);
    const make = (name: string) =>
      database().endpoint.create({ data: { id: uuidv7(), projectId: day, name, state: "failed" } });
    await make("left");
    await make("mended");
    await make("stopped");
    for (const name of ["left", "mended", "stopped"]) await failIt(await request(name));
    await failIt(await request(null));
    await request("mended");
    await cancelBuild(day, toId("bld", await request("stopped")));
    expect(await names()).toEqual([null, "stopped", "left"]);
    const failure = (await getBuildOverview(day)).failures[0];
    await age(bareOf(failure?.id), 24);
    expect(await names()).toEqual(["stopped", "left"]);
  });
});

describe("equal builds", () => {
  const model = `sha256:${"7".repeat(64)}` as const;
  const query = {
    modelDigest: model,
    engine: "boardwalk",
    board: { model: "icebreaker", kind: "simulated" },
  } as const;
  /** A build of the request that takes so long, and makes or takes the artifact of the seed. */
  const run = async (seed: string, seconds: number, report: Partial<Report> = {}) => {
    const { id, epoch } = await claimed();
    await recordModel(id, epoch, { digest: model });
    const artifact = artifactOf(seed);
    const told = { ...artifact.report, ...report };
    await succeedBuild(id, epoch, { artifact: { ...artifact, report: told } });
    await database().$executeRaw`
      UPDATE build SET started_at = ended_at - make_interval(secs => ${seconds}::float8) WHERE id = ${id}::uuid`;
    return toId("bld", id);
  };

  it("tell what they took and reached, and that their artifact would be taken again", async () => {
    expect(await getEqualBuilds(scope, query)).toMatchObject({
      builds: 0,
      seconds: null,
      reusable: null,
    });
    await run("equal-1", 84, { clockHz: 42e6, achievedMhz: 45.1, latencyCycles: 470 });
    await run("equal-2", 86, { clockHz: 42e6, achievedMhz: 45.3, latencyCycles: 470 });
    const newest = await run("equal-2", 3);
    const found = await getEqualBuilds(scope, query);
    expect(found).toMatchObject({
      builds: 2,
      clock: { hz: 42e6, achievedMhz: 45.3 },
      cycles: 470,
      reusable: { buildId: newest },
    });
    expect(found.seconds?.median).toBeCloseTo(85, 1);
    expect(found.seconds?.low).toBeCloseTo(84, 1);
    const { board, ...anyBoard } = query;
    const built = await getBuiltBoards(scope, anyBoard);
    expect(built.items).toMatchObject([
      { boardModel: board.model, boardKind: board.kind, buildId: newest },
    ]);
    expect(built.reuseSeconds).toBeCloseTo(3, 1);
    expect((await getBuiltBoards(scope, { ...anyBoard, options: { lanes: 2 } })).items).toEqual([]);
  });

  it.each([
    ["another model", { modelDigest: `sha256:${"8".repeat(64)}` as const }],
    ["another board", { board: { model: "ulx3s-25f", kind: "simulated" as const } }],
    ["another engine", { engine: "onnx" }],
    ["other options", { options: { lanes: 2 } }],
    ["another range", { inputRange: { min: 0, max: 16 } }],
    ["other rows", { calibration: { url: "s3://rows/a.csv" } }],
  ])("are none of %s", async (_, change) => {
    expect(await getEqualBuilds(scope, { ...query, ...change })).toMatchObject({
      builds: 0,
      reusable: null,
    });
  });

  it("promise no artifact that is damaged, of another kind of board, or of an older Boardwalk", async () => {
    const physical = { ...query, board: { model: "icebreaker", kind: "physical" as const } };
    expect(await getEqualBuilds(scope, physical)).toMatchObject({ builds: 2, reusable: null });
    const { digest } = artifactOf("equal-2");
    const { digest: other } = artifactOf("equal-1");
    await database().artifact.updateMany({
      where: { digest: { in: [digest, other] } },
      data: { damagedAt: new Date() },
    });
    expect(await getEqualBuilds(scope, query)).toMatchObject({ builds: 2, reusable: null });
    const { board: _, ...anyBoard } = query;
    expect((await getBuiltBoards(scope, anyBoard)).items).toEqual([]);
    await database().artifact.updateMany({ data: { damagedAt: null } });
    expect((await getEqualBuilds(scope, query)).reusable).not.toBeNull();
    const { id, epoch } = await claimed();
    const later = artifactOf("later");
    const manifest = { ...later.manifest, sourceDigest: `sha256:${"9".repeat(64)}` as const };
    await succeedBuild(id, epoch, { artifact: { ...later, manifest } });
    expect((await getEqualBuilds(scope, query)).reusable).toBeNull();
  });
});

const bareOf = (id: string | undefined) => parseId("bld", id ?? "") ?? "";

describe("a build", () => {
  it("keeps R1 to R5 and R12 whatever two workers, a person and the reconciler do to it", async () => {
    const epochs = fc.constantFrom(0, 1, 2, 3);
    const actions = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          do: fc.constant("claim" as const),
          worker: fc.constantFrom("a", "b"),
        }),
      },
      {
        weight: 3,
        arbitrary: fc.record({
          do: fc.constantFrom("run" as const, "renew" as const, "stages" as const, "log" as const),
          back: epochs,
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          do: fc.constantFrom("succeed" as const, "fail" as const, "handBack" as const),
          back: epochs,
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          do: fc.constantFrom(
            "cancel" as const,
            "loseLease" as const,
            "sweep" as const,
            "passDeadline" as const,
          ),
        }),
      },
    );
    let ended = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(actions, { minLength: 5, maxLength: 10 }),
        fc.uuid(),
        async (list, seed) => {
          const id = await submit();
          let final: { state: string; artifactDigest: string | null } | null = null;
          for (const action of list) {
            const { leaseEpoch } = await database().build.findUniqueOrThrow({ where: { id } });
            const epoch = "back" in action ? leaseEpoch - action.back : leaseEpoch;
            const stale = epoch !== leaseEpoch;
            try {
              switch (action.do) {
                case "claim":
                  await claimBuild(id, action.worker, lease);
                  break;
                case "run":
                  await setRunning(id, epoch);
                  break;
                case "renew":
                  if ((await renewLease(id, epoch, 60)).held) expect(stale).toBe(false);
                  break;
                case "stages":
                  await saveStages(id, epoch, []);
                  break;
                case "log":
                  await appendLog(id, epoch, [line(1)]);
                  break;
                case "succeed":
                  await succeedBuild(id, epoch, { artifact: artifactOf(seed) });
                  break;
                case "fail":
                  await failBuild(id, epoch, problem, "failed");
                  break;
                case "handBack":
                  await handBackBuild(id, epoch);
                  break;
                case "cancel":
                  await cancelBuild(scope, toId("bld", id));
                  break;
                case "loseLease":
                  await database()
                    .$executeRaw`UPDATE build SET lease_until = now() - interval '1 second' WHERE id = ${id}::uuid AND ended_at IS NULL AND lease_until IS NOT NULL`;
                  break;
                case "passDeadline":
                  await database()
                    .$executeRaw`UPDATE build SET deadline_at = now() - interval '1 minute' WHERE id = ${id}::uuid AND ended_at IS NULL AND deadline_at IS NOT NULL`;
                  break;
                case "sweep":
                  await Promise.all([expireLeases(), cancelOrphans(), endDeadlines()]);
                  break;
              }
              // Only the newest epoch may write.
              if (["run", "stages", "log", "succeed", "fail", "handBack"].includes(action.do))
                expect(stale).toBe(false);
            } catch (error) {
              if (
                !isAppError(error) ||
                !["LEASE_LOST", "STATE_CONFLICT", "CANCELLED"].includes(error.reason)
              )
                throw error;
            }
            const now = await database().build.findUniqueOrThrow({
              where: { id },
              select: { state: true, artifactDigest: true },
            });
            if (final) expect(now).toEqual(final);
            if (finalBuildStates.has(now.state as never)) final = now;
          }
          expect(await audit(id)).toEqual([]);
          if (final) ended++;
        },
      ),
      { numRuns: 300, endOnFailure: true },
    );
    expect(ended).toBeGreaterThan(30);
  }, 300_000);

  it("is claimed by one of ten workers that come together", async () => {
    const id = await submit();
    const claims = await Promise.all(
      Array.from({ length: 10 }, (_, i) => claimBuild(id, `worker-${i}`, lease)),
    );
    expect(claims.filter((claim) => claim !== null)).toHaveLength(1);
    expect(await audit(id)).toEqual([]);
  });

  it("fails after its worker was lost four times, and not before", async () => {
    const id = await submit();
    for (let loss = 1; loss <= 4; loss++) {
      expect(await claimBuild(id, "worker", lease)).toMatchObject({ epoch: loss });
      await database()
        .$executeRaw`UPDATE build SET lease_until = now() - interval '1 second' WHERE id = ${id}::uuid`;
      await expireLeases();
    }
    const build = await getBuild(scope, toId("bld", id));
    expect(build).toMatchObject({ state: "failed", problem: { reason: "LEASE_LOST" } });
    expect(await audit(id)).toEqual([]);
  });

  it("is given up at once by a worker that is over, and by no other", async () => {
    const [gone, living] = [await submit(), await submit()];
    await claimBuild(gone, "gone", lease);
    await claimBuild(living, "living", lease);
    expect(await endLeasesOfDeadWorkers((owner) => owner === "gone")).toBe(1);
    await expireLeases();
    const rows = await database().build.findMany({
      where: { id: { in: [gone, living] } },
      select: { id: true, state: true },
    });
    expect(new Map(rows.map(({ id, state }) => [id, state]))).toEqual(
      new Map([
        [gone, "queued"],
        [living, "preparing"],
      ]),
    );
    expect(await audit(gone)).toEqual([]);
  });

  it("is not charged for being handed back", async () => {
    const id = await submit();
    for (let i = 1; i <= 6; i++) {
      const attempt = await claimBuild(id, "worker", lease);
      await handBackBuild(id, attempt?.epoch ?? 0);
    }
    const { state, chargedAttempts } = await database().build.findUniqueOrThrow({ where: { id } });
    expect({ state, chargedAttempts }).toEqual({ state: "queued", chargedAttempts: 0 });
  });

  it("gets a new job when the queue has lost the one it had", async () => {
    const id = await submit();
    const publish = async () => {
      const rows = await takeOutbox(1000);
      await markPublished(rows.map((row) => row.id));
      return rows.filter(({ payload }) => payload["buildId"] === id).map(({ jobId }) => jobId);
    };
    expect(await publish()).toEqual([`build-${id}-1`]);
    expect(await publish()).toEqual([]);
    const before = { olderThanS: 0 };
    await republishOutbox(async () => true, before);
    expect(await publish()).toEqual([]);
    await republishOutbox(async () => false, before);
    await republishOutbox(async () => false, before);
    expect(await publish()).toEqual([`build-${id}-2`]);
  });

  it("makes one artifact of one plan, though two finish it together", async () => {
    const [one, two] = [await claimed(), await claimed()];
    const artifact = artifactOf("together");
    const ends = await Promise.all(
      [one, two].map(({ id, epoch }) => succeedBuild(id, epoch, { artifact })),
    );
    expect(ends.map(({ artifactDigest }) => artifactDigest)).toEqual([
      artifact.digest,
      artifact.digest,
    ]);
    expect(ends.filter(({ reused }) => reused)).toHaveLength(1);
    expect(await database().artifact.count({ where: { planDigest: artifact.planDigest } })).toBe(1);
    expect(await findReusable(artifact.planDigest)).toMatchObject({
      artifactDigest: artifact.digest,
    });
  });

  it("adds a proof once, and ends a refusal by the bitstream's alone, however often it was refused", async () => {
    const artifact = artifactOf("proven later");
    const { id, epoch } = await claimed();
    const rtl = { level: "rtl", vectors: 1000 } as const;
    const bitstream = { level: "bitstream", vectors: 3 } as const;
    const compared = { rows: 0, maxAbsError: 0, agreement: null, source: "synthetic input" };
    const proof = { vectors: 1000, mismatches: 0, levels: [rtl], ...compared };
    const report: Report = { ...artifact.report, proof };
    await succeedBuild(id, epoch, { artifact: { ...artifact, report } });
    const look = () => findReusable(artifact.planDigest);
    for (let round = 0; round < 2; round++) {
      await refuseArtifact(artifact.digest, new Error("otherwise"));
      await addProof(artifact.digest, rtl);
      expect((await look())?.refused).not.toBeNull();
      await addProof(artifact.digest, bitstream);
      expect(await look()).toMatchObject({ refused: null, levels: ["rtl", "bitstream"] });
    }
  });

  it("puts a new artifact beside one that is damaged, and takes the sound one from then on", async () => {
    const artifact = artifactOf("rots");
    const other = { ...artifactOf("rots, made again"), planDigest: artifact.planDigest };
    const [first, second, third] = [await claimed(), await claimed(), await claimed()];
    await succeedBuild(first.id, first.epoch, { artifact });
    await markDamaged(artifact.digest);
    const made = await succeedBuild(second.id, second.epoch, { artifact: other });
    expect(made).toEqual({ artifactDigest: other.digest, reused: false });
    const { artifactDigest } = (await findReusable(artifact.planDigest)) ?? {};
    expect(artifactDigest).toBe(other.digest);
    // The old one cannot come back beside it, and whoever makes it again gets the one that is sound.
    await markSound(artifact.digest);
    const again = await succeedBuild(third.id, third.epoch, { artifact });
    expect(again).toEqual({ artifactDigest: other.digest, reused: true });
  });

  it("waits for an older equal build, shows its stages, and stops waiting when that is gone", async () => {
    const [older, younger] = [await claimed(), await claimed()];
    const { planDigest } = artifactOf("equals");
    expect(await takePlan(older.id, older.epoch, planDigest)).toBeNull();
    expect(await takePlan(younger.id, younger.epoch, planDigest)).toBe(older.id);
    await saveStages(older.id, older.epoch, [
      { name: "fetch", state: "running", durationMs: null },
    ]);
    const shown = await getBuild(scope, toId("bld", younger.id));
    expect(shown.stages).toMatchObject([{ name: "fetch", state: "running" }]);
    expect(shown.waitingFor).toMatch(/equal build/);
    expect(shown.waitsFor).toBe("equal-build");
    await cancelBuild(scope, toId("bld", older.id));
    expect(await takePlan(younger.id, younger.epoch, planDigest)).toBeNull();
  });

  it("is repeated as a new build, once at a time, and only after it ended badly", async () => {
    const { id, epoch } = await claimed();
    const shown = toId("bld", id);
    await expect(retryBuild(scope, shown)).rejects.toMatchObject({ reason: "STATE_CONFLICT" });
    await failBuild(id, epoch, problem, "failed");
    const again = await retryBuild(scope, shown);
    expect(again).not.toBe(shown);
    await expect(retryBuild(scope, shown)).rejects.toMatchObject({ reason: "STATE_CONFLICT" });
    expect(await getBuild(scope, shown)).toMatchObject({ state: "failed" });
    expect(await getBuild(scope, again)).toMatchObject({
      state: "queued",
      stages: expect.anything(),
    });
  });

  it("is made of the bytes that its first attempt fetched, or not at all", async () => {
    const { id, epoch } = await claimed();
    const first = `sha256:${"5".repeat(64)}` as const;
    const other = `sha256:${"6".repeat(64)}` as const;
    await recordModel(id, epoch, { digest: first });
    await recordModel(id, epoch, { digest: first });
    await expect(recordModel(id, epoch, { digest: other })).rejects.toMatchObject({
      reason: "SOURCE_DIGEST_MISMATCH",
      details: { expected: first, got: other },
    });
    expect(await database().build.findUniqueOrThrow({ where: { id } })).toMatchObject({
      modelDigest: first,
    });
  });

  it("is repeated with what is at the address now, but for its own model where endpoints serve its artifact", async () => {
    const digest = `sha256:${"5".repeat(64)}` as const;
    const modelOf = async (build: string) => {
      const { request } = await database().build.findUniqueOrThrow({
        where: { id: bareOf(build) },
      });
      return (request as { model: { digest?: string } }).model.digest;
    };
    const failed = await claimed();
    await recordModel(failed.id, failed.epoch, { digest });
    await failBuild(failed.id, failed.epoch, problem, "failed");
    expect(await modelOf(await retryBuild(scope, toId("bld", failed.id)))).toBeUndefined();
    const rotten = await claimed();
    await recordModel(rotten.id, rotten.epoch, { digest });
    const artifact = artifactOf("rots, and is repeated");
    await succeedBuild(rotten.id, rotten.epoch, { artifact });
    await markDamaged(artifact.digest);
    expect(await modelOf(await retryBuild(scope, toId("bld", rotten.id)))).toBe(digest);
  });

  it("is repeated once however many ask at the same moment, and the table itself holds to that", async () => {
    const { id, epoch } = await claimed();
    await failBuild(id, epoch, problem, "failed");
    const answers = await Promise.allSettled(
      Array.from({ length: 10 }, () => retryBuild(scope, toId("bld", id))),
    );
    const refused = answers.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
    expect(refused.map(({ reason }) => reason)).toEqual(Array(9).fill("STATE_CONFLICT"));
    expect(await database().build.count({ where: { retryOfId: id } })).toBe(1);
    const { id: second } = await claimed();
    await expect(
      database().build.update({ where: { id: second }, data: { retryOfId: id } }),
    ).rejects.toThrow(/[Uu]nique/);
  });

  it("pages without a gap or a repeat", async () => {
    for (let i = 0; i < 5; i++) await submit("paged");
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listBuilds(scope, { limit: 2, cursor, engine: ["boardwalk"] });
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    const count = await database().build.count({
      where: { engine: "boardwalk", projectId: scope },
    });
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength(count);
    expect([...seen].sort().reverse()).toEqual(seen);
    await expect(listBuilds(scope, { limit: 2, cursor: "nonsense" })).rejects.toMatchObject({
      reason: "CURSOR_INVALID",
    });
  });
});

describe("the database itself", () => {
  it("calls the stages that a cancel stopped cancelled, however the worker wrote them", async () => {
    const { id, epoch } = await claimed();
    const startedAt = new Date(Date.now() - 60_000).toISOString();
    await saveStages(id, epoch, [
      { name: "plan", state: "succeeded", durationMs: 5 },
      { name: "synthesise", state: "failed", durationMs: 7 },
      { name: "simulate", state: "running", durationMs: null, startedAt },
    ]);
    await cancelBuild(scope, toId("bld", id));
    await failBuild(id, epoch, problem, "failed");
    const { state, stages } = await getBuild(scope, toId("bld", id));
    expect(state).toBe("cancelled");
    expect(stages).toMatchObject([
      { name: "plan", state: "succeeded" },
      { name: "synthesise", state: "cancelled", durationMs: 7 },
      { name: "simulate", state: "cancelled" },
    ]);
    expect(stages[2]?.durationMs).toBeGreaterThan(50_000);
  });

  it("has no running stage once it has ended, though its worker could not say so", async () => {
    const { id, epoch } = await claimed();
    const startedAt = new Date(Date.now() - 60_000).toISOString();
    await saveStages(id, epoch, [{ name: "place", state: "running", durationMs: null, startedAt }]);
    await failBuild(id, epoch, problem, "timed_out");
    const { stages } = await getBuild(scope, toId("bld", id));
    expect(stages).toMatchObject([{ name: "place", state: "failed" }]);
    expect(stages[0]?.durationMs).toBeGreaterThan(50_000);
  });

  it.each(["succeeded", "failed", "cancelled", "timed_out"])(
    "refuses to change a build that is %s",
    async (state) => {
      const { id, epoch } = await claimed();
      if (state === "succeeded")
        await succeedBuild(id, epoch, { artifact: artifactOf(`end ${id}`) });
      else await failBuild(id, epoch, problem, state as "failed");
      for (const change of [
        "state = 'queued'",
        "artifact_digest = 'x'",
        "problem = '{}'",
        "lease_epoch = 9",
      ])
        await expect(
          database().$executeRawUnsafe(`UPDATE build SET ${change} WHERE id = '${id}'`),
        ).rejects.toThrow(/cannot change/);
    },
  );

  it("refuses a state that no transition tells", async () => {
    const id = await submit();
    await expect(
      database().$executeRaw`UPDATE build SET state = 'preparing' WHERE id = ${id}::uuid`,
    ).rejects.toThrow(/transitions end in queued/);
    await expect(
      database()
        .$executeRaw`INSERT INTO transition (build_id, from_state, to_state, epoch, actor) VALUES (${id}::uuid, 'queued', 'preparing', 1, 'x')`,
    ).rejects.toThrow(/transitions end in preparing/);
    await expect(
      database()
        .$executeRaw`INSERT INTO transition (build_id, from_state, to_state, epoch, actor) VALUES (${id}::uuid, 'queued', 'succeeded', 1, 'x')`,
    ).rejects.toThrow(/transition_legal/);
    await expect(database().$executeRaw`UPDATE transition SET actor = 'x'`).rejects.toThrow(
      /history/,
    );
  });
});

describe("a compacted log", () => {
  const pageOf = async (id: string, from: number, limit: number) =>
    (await readLog(scope, toId("bld", id), { from, limit })).lines;

  it("is read as before, from one object, and leaves the database", async () => {
    process.env["STORAGE_DIR"] = mkdtempSync(join(tmpdir(), "bw-logs-"));
    const store = objectStore();
    await store.ensureBucket(buckets.logs);
    const { id, epoch } = await claimed();
    const many = (from: number, count: number) =>
      Array.from({ length: count }, (_, at) =>
        line(from + at, `ü ${"x".repeat((from + at) % 700)}`),
      );
    for (let n = 1; n <= 4000; n += 400) await appendLog(id, epoch, many(n, 400));
    // It may still be written: nothing happens.
    expect(await compactLog(id, epoch, store)).toBe(false);
    const before = await pageOf(id, 1, 10_000);
    await failBuild(id, epoch, problem, "failed");

    const lying = new LyingStore(store);
    lying.onPut = () => flip;
    await expect(compactLog(id, epoch, lying)).rejects.toThrow();
    expect(await pageOf(id, 1, 10_000)).toEqual(before);

    // Readers see every line at every moment.
    let over = false;
    const reading = (async () => {
      while (!over) expect(await pageOf(id, 1500, 40)).toEqual(before.slice(1499, 1539));
    })();
    const done = await Promise.all([compactLog(id, epoch, store), compactLog(id, epoch, store)]);
    over = true;
    await reading;
    expect(done.filter(Boolean)).toHaveLength(1);
    expect(await database().logChunk.count({ where: { buildId: id } })).toBe(0);
    expect(await pageOf(id, 1, 10_000)).toEqual(before);
    for (const [from, limit] of [
      [1, 1],
      [399, 3],
      [2000, 1500],
      [4000, 5],
      [4001, 5],
    ] as const)
      expect(await pageOf(id, from, limit)).toEqual(before.slice(from - 1, from - 1 + limit));
    await expect(appendLog(id, epoch, [line(4001)])).rejects.toMatchObject({
      reason: "LEASE_LOST",
    });
  });
});

describe("a build's log", () => {
  it("is dense: lines come once and in order, whatever is sent twice or too early", async () => {
    const { id, epoch } = await claimed();
    await appendLog(id, epoch, [line(1), line(2, "zwölf")]);
    await appendLog(id, epoch, [line(1), line(2, "other"), line(3)]);
    await expect(appendLog(id, epoch, [line(5)])).rejects.toMatchObject({ reason: "LEASE_LOST" });
    await Promise.allSettled(Array.from({ length: 8 }, () => appendLog(id, epoch, [line(4)])));
    const page = await readLog(scope, toId("bld", id), { from: 1, limit: 100 });
    expect(page.lines.map(({ n, text, offset }) => [n, text, offset])).toEqual([
      [1, "line 1", 0],
      [2, "zwölf", 7],
      [3, "line 3", 14],
      [4, "line 4", 21],
    ]);
    expect(page).toMatchObject({ attempt: 1, total: 4, final: false });
    const { logBytes } = await database().attempt.findFirstOrThrow({ where: { buildId: id } });
    expect(Number(logBytes)).toBe(28);
  });

  it("gives every piece that is asked for, and each attempt's own", async () => {
    const { id, epoch } = await claimed();
    for (let n = 1; n <= 30; n += 3)
      await appendLog(id, epoch, [line(n), line(n + 1), line(n + 2)]);
    const shown = toId("bld", id);
    for (const [from, limit] of [
      [1, 1],
      [2, 5],
      [29, 100],
      [31, 10],
      [15, 15],
    ] as const) {
      const { lines } = await readLog(scope, shown, { from, limit });
      const wanted = Array.from({ length: limit }, (_, i) => from + i).filter((n) => n <= 30);
      expect(lines.map(({ n }) => n)).toEqual(wanted);
    }
    await handBackBuild(id, epoch);
    expect((await readLog(scope, shown, { attempt: 1, from: 1, limit: 1 })).final).toBe(true);
    const second = await claimBuild(id, "worker-b", lease);
    await appendLog(id, second?.epoch ?? 0, [line(1, "again")]);
    await expect(appendLog(id, epoch, [line(31)])).rejects.toMatchObject({ reason: "LEASE_LOST" });
    expect((await readLog(scope, shown, { from: 1, limit: 9 })).lines).toMatchObject([
      { text: "again" },
    ]);
    expect((await readLog(scope, shown, { attempt: 1, from: 1, limit: 99 })).total).toBe(30);
    await expect(readLog(scope, shown, { attempt: 7, from: 1, limit: 1 })).rejects.toMatchObject({
      reason: "BUILD_UNKNOWN",
    });
  });
});
