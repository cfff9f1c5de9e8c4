import { recordEvent } from "@/domain/events";
import type { Scope } from "@/lib/common/contract";
import { fail, notFound } from "@/lib/common/errors";
import { type Tx, withTransaction } from "@/lib/server/db";
import { findDeletion } from "./queries";

/**
 * Pins an artifact for a project, or lets it go: while it is pinned it cannot be deleted. Again is no error.
 *
 * @throws {AppError} `ARTIFACT_UNKNOWN`, `ARTIFACT_DELETED`
 */
export async function pinArtifact(scope: Scope, digest: string, pinned: boolean): Promise<void> {
  await withTransaction(async (tx) => {
    // Whoever deletes it holds the row: what is looked for afterwards is what that left.
    await tx.$queryRaw`SELECT 1 FROM artifact WHERE digest = ${digest} FOR KEY SHARE`;
    const where = { projectId: scope, artifactDigest: digest };
    if ((await tx.artifactReference.count({ where })) === 0)
      throw (await findDeletion(scope, digest, tx)) ?? notFound("artifact", digest);
    if (pinned) await tx.artifactPin.createMany({ data: where, skipDuplicates: true });
    else await tx.artifactPin.deleteMany({ where });
    await recordEvent(tx, { projectId: scope, noun: "artifact", id: digest });
  });
}

/** @throws {AppError} `ARTIFACT_PINNED` */
export async function requireUnpinned(tx: Tx, scope: Scope, digest: string): Promise<void> {
  const pins = await tx.artifactPin.count({ where: { projectId: scope, artifactDigest: digest } });
  if (pins > 0)
    throw fail("ARTIFACT_PINNED", "This artifact is pinned, so nothing deletes it.", {
      hint: "Unpin it first, on its page or with POST /api/v1/artifacts/DIGEST/pin.",
    });
}
