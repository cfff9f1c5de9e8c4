import {
  type Digest,
  type Manifest,
  type NewRevision,
  type Scope,
  toDigest,
} from "@/lib/common/contract";
import { fail, notFound } from "@/lib/common/errors";
import { database, sql } from "@/lib/server/db";
import { shownRevision } from "./queries";

/** The model file behind an endpoint, and the rows that came with it. */
export interface ModelSource {
  readonly url: string;
  /** Of the file as it was built from. */
  readonly digest: Digest;
  /** Values of one row, all inputs together. */
  readonly width: number;
  readonly calibration?: NewRevision["calibration"];
}

interface SourceRow {
  readonly url: string;
  readonly digest: string | null;
  readonly manifest: Manifest | null;
  readonly request: NewRevision;
}

/**
 * The model of the revision that an endpoint shows.
 *
 * @throws {AppError} `ENDPOINT_UNKNOWN`; `MODEL_NOT_READY` while it is not built.
 */
export async function getModelSource(scope: Scope, name: string): Promise<ModelSource> {
  const [row] = await database().$queryRaw<SourceRow[]>(sql`
    SELECT r.model_url AS url, b.model_digest AS digest, a.manifest, r.request
    FROM endpoint e
    ${shownRevision}
    LEFT JOIN build b ON b.id = r.build_id
    LEFT JOIN artifact a ON a.digest = r.artifact_digest
    WHERE e.project_id = ${scope}::uuid AND e.deleted_at IS NULL AND e.name = ${name}`);
  if (!row) throw notFound("endpoint", name);
  const { url, digest, manifest, request } = row;
  if (digest === null || manifest === null) {
    throw fail("MODEL_NOT_READY", "The model of this endpoint is not built yet.");
  }
  return {
    url,
    digest: toDigest(digest),
    width: manifest.io.inputs.reduce((sum, { size }) => sum + size, 0),
    ...(request.calibration ? { calibration: request.calibration } : {}),
  };
}

/** A ready endpoint that serves the very model file on a CPU, the newest first; null: none does. */
export async function findCpuTwin(
  scope: Scope,
  digest: Digest,
): Promise<{ readonly name: string; readonly revision: number } | null> {
  const [row] = await database().$queryRaw<{ name: string; revision: number }[]>(sql`
    SELECT e.name, r.ordinal AS revision
    FROM endpoint e
    ${shownRevision}
    JOIN build b ON b.id = r.build_id
    WHERE e.project_id = ${scope}::uuid AND e.deleted_at IS NULL AND NOT e.paused AND e.state = 'ready'
      AND r.board_kind = 'cpu' AND b.model_digest = ${digest}
    ORDER BY e.ready_at DESC NULLS LAST, e.id LIMIT 1`);
  return row ?? null;
}
