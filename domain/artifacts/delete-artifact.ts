import { recordEvent } from "@/domain/events";
import {
  type ArtifactFile,
  type Deleted,
  idPrefixes,
  manifestSchema,
  type Scope,
} from "@/lib/common/contract";
import { type AppError, fail, notFound } from "@/lib/common/errors";
import { type Tx, toId, withTransaction } from "@/lib/server/db";
import { hexOf } from "@/lib/server/digest";
import { buckets, type ObjectStore } from "@/lib/server/storage";
import { deleteOrphan, letGo } from "./holds";
import { ownBuild } from "./own-build";
import { requireUnpinned } from "./pins";
import { lockPlan } from "./plan-lock";
import { findDeletion } from "./queries";
import { listUses } from "./uses";

/**
 * Deletes an artifact for a project. The row goes first, then each of its objects that nobody needs any more: files that other
 * artifacts or models share stay, and so does what a build is storing right now. Where other projects refer to the artifact,
 * only this one's references go. A build of the same plan that is under way keeps the artifact from being deleted, since it may
 * be about to take it; one that comes later makes it anew.
 *
 * @throws {AppError} `ARTIFACT_UNKNOWN`, `ARTIFACT_DELETED`; `ARTIFACT_IN_USE` with what needs it; `ARTIFACT_PINNED`.
 */
export async function deleteArtifact(
  scope: Scope,
  digest: string,
  store: ObjectStore,
): Promise<Deleted> {
  const files = await withTransaction((tx) => deleteRow(tx, scope, digest));
  let freedBytes = 0;
  // What fails from here on is no loss: the holds that were let go tell the next sweep where to look.
  for (const file of files) {
    const at = { bucket: buckets.artifacts, key: hexOf(file.digest) };
    if (await deleteOrphan(store, at)) freedBytes += file.sizeBytes;
  }
  return { id: digest, freedBytes };
}

/** Answers the files whose objects may go; none while another project refers to the artifact. */
async function deleteRow(tx: Tx, scope: Scope, digest: string): Promise<ArtifactFile[]> {
  const row = await tx.artifact.findFirst({
    where: { digest, references: { some: { projectId: scope } } },
    select: { planDigest: true },
  });
  if (!row) throw await unknown(tx, scope, digest);
  await lockPlan(tx, row.planDigest);
  // Builds first: one that ends in between has told its revisions of the artifact by then.
  await requireNoBuild(tx, scope, row.planDigest);
  await requireNoUse(tx, scope, digest);
  const [locked] = await tx.$queryRaw<{ manifest: unknown; planDigest: string }[]>`
    SELECT manifest, plan_digest AS "planDigest" FROM artifact WHERE digest = ${digest} FOR UPDATE`;
  // Somebody else deleted it, or it was made again by another plan, while we waited.
  if (!locked) throw await unknown(tx, scope, digest);
  if (locked.planDigest !== row.planDigest) throw inUse("A build has just ended with it.", []);
  await requireNoLease(tx, scope, digest);
  await requireUnpinned(tx, scope, digest);
  await tx.$executeRaw`
    INSERT INTO deleted_artifact (project_id, digest, build_id)
    SELECT ${scope}::uuid, a.digest, ${ownBuild(scope)} FROM artifact a WHERE a.digest = ${digest}
    ON CONFLICT (project_id, digest) DO UPDATE SET deleted_at = now(), build_id = EXCLUDED.build_id`;
  await tx.artifactReference.deleteMany({ where: { projectId: scope, artifactDigest: digest } });
  const others = await tx.artifactReference.count({ where: { artifactDigest: digest } });
  const { files } = manifestSchema.parse(locked.manifest);
  if (others === 0) {
    await tx.artifact.delete({ where: { digest } });
    for (const file of files)
      await letGo(tx, { bucket: buckets.artifacts, key: hexOf(file.digest) });
  }
  await recordEvent(tx, { projectId: scope, noun: "artifact", id: digest });
  return others === 0 ? oncePerObject(files) : [];
}

const oncePerObject = (files: readonly ArtifactFile[]): ArtifactFile[] => [
  ...new Map(files.map((file) => [file.digest, file])).values(),
];

async function unknown(tx: Tx, scope: Scope, digest: string): Promise<AppError> {
  return (await findDeletion(scope, digest, tx)) ?? notFound("artifact", digest);
}

/** A build that has a plan took it under the same lock; before that it knows no artifact. */
async function requireNoBuild(tx: Tx, scope: Scope, planDigest: string): Promise<void> {
  const [build] = await tx.$queryRaw<{ id: string; isOurs: boolean }[]>`
    SELECT id, project_id = ${scope}::uuid AS "isOurs" FROM build
    WHERE plan_digest = ${planDigest} AND state IN ('preparing', 'running')
    ORDER BY project_id <> ${scope}::uuid, id LIMIT 1`;
  if (!build) return;
  const id = toId(idPrefixes.build, build.id);
  throw inUse(
    build.isOurs
      ? `Build ${id} is under way and may be about to take it.`
      : "A build of another project is under way and may be about to take it.",
    build.isOurs ? [id] : [],
  );
}

/** Who loads it on a board that they have holds its row until the load is written. */
async function requireNoLease(tx: Tx, scope: Scope, digest: string): Promise<void> {
  const [use] = await tx.$queryRaw<{ board: string }[]>`
    SELECT b.name AS board FROM lease_load o JOIN lease x ON x.id = o.lease_id
    JOIN slot l ON l.desired_revision_id = o.id JOIN board b ON b.id = l.board_id
    WHERE o.artifact_digest = ${digest} AND x.project_id = ${scope}::uuid LIMIT 1`;
  if (use) throw inUse(`${use.board} is leased, and its holder has loaded it.`, []);
}

async function requireNoUse(tx: Tx, scope: Scope, digest: string): Promise<void> {
  const uses = await listUses(tx, digest);
  const [first] = uses.filter(({ projectId, role }) => projectId === scope && role !== "failed");
  if (!first) return;
  const { endpoint, revision, role } = first;
  const words = {
    serves: `Endpoint ${endpoint} answers from it: it is revision ${revision}.`,
    loads: `Endpoint ${endpoint} is loading it as revision ${revision}.`,
    rollback: `Endpoint ${endpoint} can be rolled back to revision ${revision}, which needs it.`,
    failed: "",
  }[role];
  throw inUse(words, [...new Set(uses.map((use) => use.endpoint))]);
}

function inUse(message: string, by: readonly string[]): AppError {
  return fail("ARTIFACT_IN_USE", message, {
    hint: "Delete the endpoints that need it, or wait until the build has ended.",
    details: { by },
  });
}
