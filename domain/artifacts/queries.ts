import type { Readable } from "node:stream";
import {
  type Artifact,
  type ArtifactFile,
  artifactSchema,
  type FileRole,
  idPrefixes,
  reportSchema,
  type Scope,
  toDigest,
} from "@/lib/common/contract";
import { type AppError, fail, isAppError, notFound } from "@/lib/common/errors";
import { type ArtifactRow, database, type Tx, toId } from "@/lib/server/db";
import { hexOf } from "@/lib/server/digest";
import { logger } from "@/lib/server/logger";
import { buckets, checkedBody, damaged, objectStore } from "@/lib/server/storage";
import { markDamaged } from "./damage";
import { ownBuild } from "./own-build";

/**
 * @param scope Null: for the installation itself, such as a board server's command.
 * @throws {AppError} `ARTIFACT_UNKNOWN`, also when no build of the project refers to it; `ARTIFACT_DELETED`
 */
export async function getArtifact(scope: Scope | null, digest: string): Promise<Artifact> {
  const row = await findRow(scope, digest);
  return toArtifact(scope === null ? row : { ...row, buildId: await buildOf(scope, row) });
}

async function findRow(scope: Scope | null, digest: string): Promise<ArtifactRow> {
  const row = await database().artifact.findFirst({
    where: { digest, ...(scope === null ? {} : { references: { some: { projectId: scope } } }) },
  });
  if (row) return row;
  throw (scope && (await findDeletion(scope, digest))) ?? notFound("artifact", digest);
}

/** UUID of the build that a project knows an artifact by. */
async function buildOf(scope: Scope, { digest, buildId }: ArtifactRow): Promise<string> {
  const [own] = await database().$queryRaw<{ id: string }[]>`
    SELECT ${ownBuild(scope)} AS id FROM artifact a WHERE a.digest = ${digest}`;
  return own?.id ?? buildId;
}

/** What to say of an artifact that the project deleted; null: it did not. */
export async function findDeletion(
  scope: Scope,
  digest: string,
  db: Pick<Tx, "deletedArtifact"> = database(),
): Promise<AppError | null> {
  const found = await db.deletedArtifact.findUnique({
    where: { projectId_digest: { projectId: scope, digest } },
  });
  if (!found) return null;
  const deletedAt = found.deletedAt.toISOString();
  const buildId = toId(idPrefixes.build, found.buildId);
  return fail("ARTIFACT_DELETED", `This artifact was deleted on ${deletedAt.slice(0, 10)}.`, {
    hint: "Repeat the build that made it: it makes the artifact anew.",
    details: { deletedAt, buildId },
  });
}

/** What the manifest says of one file of an artifact, by its role. @throws {AppError} `ARTIFACT_UNKNOWN` */
export async function getArtifactFile(
  scope: Scope | null,
  digest: string,
  role: FileRole,
): Promise<ArtifactFile> {
  const { manifest } = toArtifact(await findRow(scope, digest));
  const file = manifest.files.find((each) => each.role === role);
  if (!file)
    throw fail("ARTIFACT_UNKNOWN", `The artifact “${digest}” has no file “${role}”.`, {
      hint: `It has: ${manifest.files.map((each) => each.role).join(", ")}.`,
    });
  return file;
}

/**
 * The bytes of one file of an artifact, by its role. For a person the stream fails at its end, before the last of them, if
 * they are not those that the manifest names, and the artifact is known as damaged then. A board server looks for itself,
 * and says what it found.
 *
 * @throws {AppError} `ARTIFACT_UNKNOWN`, `ARTIFACT_MISSING`; `OBJECT_DAMAGED` when even the size is wrong.
 */
export async function openArtifactFile(
  scope: Scope | null,
  digest: string,
  role: FileRole,
): Promise<{ readonly name: string; readonly stream: Readable; readonly sizeBytes: number }> {
  const file = await getArtifactFile(scope, digest, role);
  const store = objectStore();
  const key = hexOf(file.digest);
  if (!(await store.head(buckets.artifacts, key))) {
    await markDamaged(digest);
    throw fail("ARTIFACT_MISSING", "The bytes of this file are gone from the store.");
  }
  const { stream, sizeBytes } = await store.get(buckets.artifacts, key);
  const promised = { sizeBytes: file.sizeBytes, digest: toDigest(file.digest) };
  if (sizeBytes !== promised.sizeBytes) {
    stream.destroy();
    await markDamaged(digest);
    throw damaged(key);
  }
  if (scope === null) return { name: file.name, stream, sizeBytes };
  const checked = checkedBody(stream, promised);
  checked.once("error", (error) => {
    if (isAppError(error) && error.reason === "ARTIFACT_MISMATCH")
      markDamaged(digest).catch((err: unknown) => logger().warn({ err }, "damage not noted"));
  });
  return { name: file.name, stream: checked, sizeBytes };
}

/** Digests of every object that a row names: all else in the buckets of artifacts is an orphan. */
export async function listObjectDigests(): Promise<ReadonlySet<string>> {
  const rows = await database().$queryRaw<{ digest: string }[]>`
    SELECT DISTINCT file ->> 'digest' AS digest
    FROM artifact, jsonb_array_elements(manifest -> 'files') file`;
  return new Set(rows.map(({ digest }) => digest));
}

/** A row as the API shows it. */
export function toArtifact(row: ArtifactRow): Artifact {
  const { calibration, origin } = reportSchema.safeParse(row.report).data ?? {};
  return artifactSchema.parse({
    digest: row.digest,
    manifest: row.manifest,
    signature: row.signature,
    ...(calibration ? { calibration } : {}),
    ...(origin ? { origin } : {}),
    sizeBytes: Number(row.sizeBytes),
    createdAt: row.createdAt.toISOString(),
    buildId: toId(idPrefixes.build, row.buildId),
  });
}
