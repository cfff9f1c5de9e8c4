import { addProof, lockPlan, markSound, releaseBuild } from "@/domain/artifacts";
import { claim, heldBy, isAlive, leaseLost, renewal } from "@/domain/leases";
import { runsWithinQuota } from "@/domain/quotas";
import { boardKindSchema, type Digest, type NewRevision, type Stage } from "@/lib/common/contract";
import type { ErrorData } from "@/lib/common/errors";
import { fail, toErrorData } from "@/lib/common/errors";
import { database, type Sql, sql, type Tx, withTransaction } from "@/lib/server/db";
import { enqueueAgain } from "./create";
import { soundFirst } from "./queries";
import { tellBuild, transition } from "./transition";
import type { AttemptRow, LeaseState, NewArtifact, Success } from "./types";

/** Infrastructure may take an attempt away this often before its build fails. */
export const maxChargedAttempts = 3;

type Outcome = "succeeded" | "failed" | "cancelled" | "timed_out" | "lost" | "handed_back";

/** Takes a waiting build for a worker; the attempt's number is the new epoch. Null if it does not wait. */
export async function claimBuild(
  buildId: string,
  workerId: string,
  {
    leaseS,
    deadlineS,
    withinQuota = false,
  }: {
    readonly leaseS: number;
    readonly deadlineS: number;
    /** Only if its project may run one more. */
    readonly withinQuota?: boolean;
  },
): Promise<AttemptRow | null> {
  return await withTransaction(async (tx) => {
    // Workers that take builds of one project at once are counted one after the other.
    if (withinQuota)
      await tx.$executeRaw`SELECT FROM project p JOIN build b ON b.project_id = p.id
        WHERE b.id = ${buildId}::uuid FOR NO KEY UPDATE OF p`;
    const changed = await transition(tx, {
      buildId,
      to: "preparing",
      actor: workerId,
      where: sql`b.cancel_requested_at IS NULL AND ${withinQuota ? runsWithinQuota : sql`TRUE`}`,
      set: sql`, ${claim(workerId, leaseS)},
        deadline_at = now() + make_interval(secs => ${deadlineS}::float8),
        started_at = coalesce(started_at, now()), problem = NULL, waits_for_id = NULL`,
    });
    if (!changed) return null;
    const { epoch, projectId } = changed;
    await tx.attempt.create({ data: { buildId, epoch, workerId } });
    const build = await tx.build.findUniqueOrThrow({
      where: { id: buildId },
      select: { request: true, endpointName: true, boardModel: true, boardKind: true },
    });
    await tellBuild(tx, { buildId, projectId });
    return {
      buildId,
      epoch,
      projectId,
      request: build.request as unknown as NewRevision,
      endpointName: build.endpointName,
      board: {
        boardModel: build.boardModel,
        kind: boardKindSchema.parse(build.boardKind),
      },
    };
  });
}

/** Keeps the lease, and reads in the same query whether the build is wanted any more. */
export async function renewLease(
  buildId: string,
  epoch: number,
  leaseS: number,
): Promise<LeaseState> {
  const [lease] = await database().$queryRaw<Omit<LeaseState, "held">[]>`
    UPDATE build b SET ${renewal(leaseS)}
    WHERE b.id = ${buildId}::uuid AND ${heldBy("build", epoch)}
    RETURNING b.cancel_requested_at IS NOT NULL AS "cancelRequested",
      coalesce(b.deadline_at < now(), false) AS "deadlinePassed"`;
  return lease
    ? { held: true, ...lease }
    : { held: false, cancelRequested: false, deadlinePassed: false };
}

/**
 * Preparing is over: tools run. Once it is running, it stays so.
 *
 * @param expectedMs What the forecast of its plan says for the whole build, where there is one.
 */
export async function setRunning(
  buildId: string,
  epoch: number,
  expectedMs: number | null = null,
): Promise<void> {
  await withTransaction(async (tx) => {
    const changed = await transition(tx, {
      buildId,
      to: "running",
      actor: "worker",
      where: heldBy("build", epoch),
      set: sql`, expected_ms = ${expectedMs}::int`,
    });
    if (changed) return await tellBuild(tx, { buildId, projectId: changed.projectId });
    await requireHeld(tx, buildId, epoch);
  });
}

/** Writes the stages of the attempt as they are now. */
export async function saveStages(
  buildId: string,
  epoch: number,
  stages: readonly Stage[],
): Promise<void> {
  await withTransaction(async (tx) => {
    const { projectId } = await requireHeld(tx, buildId, epoch);
    await tx.attempt.update({
      where: { buildId_epoch: { buildId, epoch } },
      data: { stages: [...stages] },
    });
    await tellBuild(tx, { buildId, projectId });
  });
}

/**
 * Notes which bytes the model's address gave. The first that a build fetches are those of all its attempts.
 *
 * @throws {AppError} `SOURCE_DIGEST_MISMATCH`, `LEASE_LOST`
 */
export async function recordModel(
  buildId: string,
  epoch: number,
  { digest }: { readonly digest: Digest },
): Promise<void> {
  await withTransaction(async (tx) => {
    const [row] = await tx.$queryRaw<{ projectId: string; first: string }[]>`
      UPDATE build SET model_digest = coalesce(model_digest, ${digest})
      WHERE id = ${buildId}::uuid AND ${heldBy("build", epoch)}
      RETURNING project_id AS "projectId", model_digest AS first`;
    if (!row) throw leaseLost("build");
    if (row.first !== digest)
      throw fail("SOURCE_DIGEST_MISMATCH", "The model at this address was replaced meanwhile.", {
        details: { expected: row.first, got: digest },
        hint: "Deploy it again: what is there now is built then.",
      });
    await tellBuild(tx, { buildId, projectId: row.projectId });
  });
}

/**
 * Notes the plan, and whether this build makes it or waits for an equal one that does. One build at a time decides for a
 * plan, so that of several equal ones exactly one goes on, and no two wait for each other.
 *
 * @returns The build to wait for; null: go on. Call it again when that one has ended.
 * @throws {AppError} `LEASE_LOST`
 */
export async function takePlan(
  buildId: string,
  epoch: number,
  planDigest: Digest,
): Promise<string | null> {
  return await withTransaction(async (tx) => {
    await lockPlan(tx, planDigest);
    const { projectId } = await requireHeld(tx, buildId, epoch);
    const [equal] = await tx.$queryRaw<{ id: string }[]>`
      SELECT id FROM build
      WHERE plan_digest = ${planDigest} AND id <> ${buildId}::uuid AND waits_for_id IS NULL
        AND ${isAlive("build")} AND cancel_requested_at IS NULL
      ORDER BY id LIMIT 1`;
    await tx.$executeRaw`
      UPDATE build SET plan_digest = ${planDigest}, waits_for_id = ${equal?.id ?? null}::uuid
      WHERE id = ${buildId}::uuid`;
    await tellBuild(tx, { buildId, projectId });
    return equal?.id ?? null;
  });
}

interface Held {
  readonly projectId: string;
  readonly cancelRequested: boolean;
}

/** Locks the build's row; throws when the attempt no longer holds it. */
async function requireHeld(tx: Tx, buildId: string, epoch: number): Promise<Held> {
  const [row] = await tx.$queryRaw<Held[]>`
    SELECT b.project_id AS "projectId", b.cancel_requested_at IS NOT NULL AS "cancelRequested"
    FROM build b
    WHERE b.id = ${buildId}::uuid AND ${heldBy("build", epoch)}
    FOR UPDATE`;
  if (!row) throw leaseLost("build");
  return row;
}

/**
 * Ends a build well. The artifact's bytes are stored before (R6); if an equal plan was finished by somebody else in the
 * meantime, theirs is taken. Revisions get the artifact in the same transaction.
 *
 * @throws {AppError} `LEASE_LOST`; `CANCELLED` when somebody asked for that first (R12); `OBJECT_DAMAGED` when the artifact
 *   was deleted in the meantime, which another attempt mends
 */
export async function succeedBuild(
  buildId: string,
  epoch: number,
  success: Success,
): Promise<{ readonly artifactDigest: string; readonly reused: boolean }> {
  return await withTransaction(async (tx) => {
    const { projectId, cancelRequested } = await requireHeld(tx, buildId, epoch);
    if (cancelRequested) throw fail("CANCELLED", "Cancelled.");
    const taken =
      "artifact" in success
        ? await keepArtifact(tx, buildId, epoch, success.artifact)
        : { digest: success.reuse.artifactDigest, from: success.reuse.fromBuildId };
    await requireThere(tx, taken.digest);
    const reusedFrom = taken.from === buildId ? null : taken.from;
    const changed = await transition(tx, {
      buildId,
      to: "succeeded",
      actor: "worker",
      reason: reusedFrom ? "REUSED" : null,
      where: heldBy("build", epoch),
      set: sql`, artifact_digest = ${taken.digest}, reused_from_id = ${reusedFrom}::uuid,
        report = coalesce((SELECT a.report FROM artifact a WHERE a.digest = ${taken.digest}), build.report)`,
    });
    if (!changed) throw leaseLost("build");
    await tx.artifactReference.createMany({
      data: { projectId, artifactDigest: taken.digest, buildId },
      skipDuplicates: true,
    });
    await releaseBuild(tx, buildId);
    await endAttempt(tx, buildId, epoch, "succeeded");
    await tx.$executeRaw`
      UPDATE revision SET artifact_digest = ${taken.digest}
      WHERE build_id = ${buildId}::uuid AND artifact_digest IS NULL`;
    await tellBuild(tx, { buildId, projectId, ended: true });
    return { artifactDigest: taken.digest, reused: reusedFrom !== null };
  });
}

/**
 * Keeps the artifact's row from being deleted until the transaction has ended. Whoever deletes asks for builds of the same plan,
 * but the same bytes may be known by another one.
 */
async function requireThere(tx: Tx, digest: string): Promise<void> {
  const rows = await tx.$queryRaw<object[]>`
    SELECT 1 FROM artifact WHERE digest = ${digest} FOR KEY SHARE`;
  if (rows.length === 0)
    throw fail("OBJECT_DAMAGED", "The artifact was deleted while it was being taken.");
}

/**
 * Writes the artifact's row, or finds the one that an equal plan has made (R4); a damaged one is whole again, or replaced.
 * The same artifact may be known by another plan: made here, and come from elsewhere too.
 */
async function keepArtifact(tx: Tx, buildId: string, epoch: number, artifact: NewArtifact) {
  await markSound(artifact.digest, tx);
  if (!artifact.report.origin) await adoptImported(tx, buildId, epoch, artifact);
  const inserted = await tx.$executeRaw`
    INSERT INTO artifact (digest, plan_digest, manifest, signature, report, size_bytes, build_id, epoch)
    VALUES (${artifact.digest}, ${artifact.planDigest}, ${JSON.stringify(artifact.manifest)}::jsonb,
      ${JSON.stringify(artifact.signature)}::jsonb, ${JSON.stringify(artifact.report)}::jsonb,
      ${artifact.sizeBytes}, ${buildId}::uuid, ${epoch})
    ON CONFLICT DO NOTHING`;
  // Somebody else made the same bytes, perhaps with fewer checkers.
  if (inserted === 0)
    for (const proven of artifact.report.proof?.levels ?? [])
      await addProof(artifact.digest, proven, tx);
  const select = { digest: true, buildId: true } as const;
  const kept =
    (await tx.artifact.findFirst({
      where: { planDigest: artifact.planDigest },
      orderBy: [...soundFirst],
      select,
    })) ?? (await tx.artifact.findUniqueOrThrow({ where: { digest: artifact.digest }, select }));
  return { digest: kept.digest, from: kept.buildId };
}

/** What came from elsewhere was now made here as well, byte for byte: from then on it is known by this plan and its proof. */
async function adoptImported(
  tx: Tx,
  buildId: string,
  epoch: number,
  { digest, planDigest, signature, report }: NewArtifact,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE artifact SET plan_digest = ${planDigest}, signature = ${JSON.stringify(signature)}::jsonb,
      report = ${JSON.stringify(report)}::jsonb, build_id = ${buildId}::uuid, epoch = ${epoch}
    WHERE digest = ${digest} AND report -> 'origin' IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM artifact o WHERE o.plan_digest = ${planDigest} AND o.digest <> ${digest} AND o.damaged_at IS NULL)`;
}

/** Ends a build badly; as cancelled when somebody asked for that (R12). @throws {AppError} `LEASE_LOST` */
export async function failBuild(
  buildId: string,
  epoch: number,
  problem: ErrorData,
  state: "failed" | "timed_out" | "cancelled",
): Promise<void> {
  await withTransaction(async (tx) => {
    const { cancelRequested } = await requireHeld(tx, buildId, epoch);
    const ended = await endBuild(tx, {
      buildId,
      ...(cancelRequested
        ? { state: "cancelled", problem: toErrorData(fail("CANCELLED", "Cancelled.")) }
        : { state, problem }),
      actor: "worker",
      where: heldBy("build", epoch),
    });
    if (!ended) throw leaseLost("build");
  });
}

/** Ends a build in any of the bad states if the condition holds; attempts, revisions and readers hear of it. */
export async function endBuild(
  tx: Tx,
  end: {
    readonly buildId: string;
    readonly state: "failed" | "timed_out" | "cancelled";
    readonly actor: string;
    readonly problem: ErrorData;
    readonly where: Sql;
  },
): Promise<boolean> {
  const { buildId, state, problem } = end;
  const text = JSON.stringify(problem);
  const changed = await transition(tx, {
    buildId,
    to: state,
    actor: end.actor,
    reason: problem.reason,
    where: end.where,
    set: sql`, problem = ${text}::jsonb`,
  });
  if (!changed) return false;
  await endAttempt(tx, buildId, changed.epoch, state);
  await tx.$executeRaw`
    UPDATE revision SET state = 'failed', problem = ${text}::jsonb
    WHERE build_id = ${buildId}::uuid AND state = 'building'`;
  await tellBuild(tx, { buildId, projectId: changed.projectId, ended: true });
  return true;
}

/**
 * Ends an attempt that the infrastructure spoilt: the build goes back into the queue while it has tries left, else it fails
 * with this problem.
 *
 * @throws {AppError} `LEASE_LOST`
 */
export async function giveUpAttempt(
  buildId: string,
  epoch: number,
  problem: ErrorData,
): Promise<void> {
  const again = await withTransaction((tx) =>
    requeue(tx, {
      buildId,
      actor: "worker",
      reason: problem.reason,
      where: sql`${heldBy("build", epoch)} AND b.cancel_requested_at IS NULL AND b.charged_attempts < ${maxChargedAttempts}`,
      charge: true,
    }),
  );
  if (!again) await failBuild(buildId, epoch, problem, "failed");
}

/** Gives a build back to the queue, at shutdown, without charging the attempt. @throws {AppError} `LEASE_LOST` */
export async function handBackBuild(buildId: string, epoch: number): Promise<void> {
  await withTransaction(async (tx) => {
    const done = await requeue(tx, {
      buildId,
      actor: "worker",
      reason: "HANDED_BACK",
      where: heldBy("build", epoch),
      charge: false,
    });
    if (!done) throw leaseLost("build");
  });
}

/** Puts a build back into the queue with a new job, if the condition holds. */
export async function requeue(
  tx: Tx,
  back: {
    readonly buildId: string;
    readonly actor: string;
    readonly reason: string;
    readonly where: Sql;
    readonly charge: boolean;
  },
): Promise<boolean> {
  const changed = await transition(tx, {
    buildId: back.buildId,
    to: "queued",
    actor: back.actor,
    reason: back.reason,
    where: back.where,
    set: sql`, lease_owner = NULL, lease_until = NULL, deadline_at = NULL, waits_for_id = NULL, queued_at = now(),
      charged_attempts = charged_attempts + ${back.charge ? 1 : 0}`,
  });
  if (!changed) return false;
  await endAttempt(tx, back.buildId, changed.epoch, back.charge ? "lost" : "handed_back");
  await enqueueAgain(tx, back.buildId);
  await tellBuild(tx, { buildId: back.buildId, projectId: changed.projectId });
  return true;
}

async function endAttempt(tx: Tx, buildId: string, epoch: number, outcome: Outcome): Promise<void> {
  await tx.$executeRaw`
    UPDATE attempt SET ended_at = now(), outcome = ${outcome}, charged = ${outcome !== "handed_back"}
    WHERE build_id = ${buildId}::uuid AND epoch = ${epoch} AND ended_at IS NULL`;
}
