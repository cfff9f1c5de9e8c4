import { withModelNames } from "@/domain/uploads";
import {
  type ArtifactDetail,
  artifactDetailSchema,
  idPrefixes,
  manifestSchema,
  reportSchema,
  type Scope,
} from "@/lib/common/contract";
import { database, toId } from "@/lib/server/db";
import { digestOfJson } from "@/lib/server/digest";
import { getArtifact } from "./queries";
import { findSigningKey } from "./signing-keys";
import { listUses } from "./uses";

/** Whether a text is signed by a key: Ed25519, base64. */
type IsSigned = (text: string, signature: string, publicKey: string) => boolean;

interface StandingRow {
  state: string;
  damagedAt: Date | null;
  refused: { readonly message?: string } | null;
  report: unknown;
}

interface ModelRow {
  url: string;
  id: string | null;
  digest: string | null;
  builds: number;
}

/**
 * An artifact with all that is known of it: how it stands, who signed it, what it was made from and what needs it.
 *
 * @throws {AppError} `ARTIFACT_UNKNOWN`, `ARTIFACT_DELETED`
 */
export async function getArtifactDetail(
  scope: Scope,
  digest: string,
  isSigned: IsSigned,
): Promise<ArtifactDetail> {
  const artifact = await getArtifact(scope, digest);
  const db = database();
  const [[standing], [model], uses, others, pin, signed] = await Promise.all([
    db.$queryRaw<StandingRow[]>`
      SELECT proof_state AS state, damaged_at AS "damagedAt", refused, report FROM artifact WHERE digest = ${digest}`,
    db.$queryRaw<ModelRow[]>`
      SELECT b.model_url AS url, m.id, b.model_digest AS digest, count(*) OVER ()::int AS builds
      FROM artifact_reference f JOIN build b ON b.id = f.build_id
      LEFT JOIN LATERAL (
        SELECT id FROM model WHERE project_id = b.project_id AND digest = b.model_digest
        ORDER BY url <> b.model_url, id LIMIT 1) m ON TRUE
      WHERE f.artifact_digest = ${digest} AND f.project_id = ${scope}::uuid ORDER BY b.id LIMIT 1`,
    listUses(db, digest),
    db.artifactReference.count({
      where: { artifactDigest: digest, projectId: { not: scope } },
    }),
    db.artifactPin.findUnique({
      where: { projectId_artifactDigest: { projectId: scope, artifactDigest: digest } },
    }),
    signatureOf(artifact, isSigned),
  ]);
  const modelUrl = model?.url ?? "";
  const [named] = await withModelNames(scope, [{ modelUrl }]);
  const report = reportSchema.safeParse(standing?.report).data;
  return artifactDetailSchema.parse({
    ...artifact,
    state: standing?.state ?? "unproven",
    damagedAt: standing?.damagedAt?.toISOString() ?? null,
    pinnedAt: pin?.createdAt.toISOString() ?? null,
    refused: standing?.refused?.message ?? null,
    proof: report?.proof ?? null,
    resources: report?.resources ?? [],
    signed,
    model: {
      url: modelUrl,
      name: named?.modelName,
      id: model?.id ? toId(idPrefixes.model, model.id) : null,
      digest: model?.digest ?? null,
    },
    uses: uses
      .filter(({ projectId }) => projectId === scope)
      .map(({ projectId: _, ...use }) => use),
    builds: model?.builds ?? 0,
    shared: others > 0,
  });
}

/** Whether the signature covers these very bytes of the manifest, and under whose key. */
async function signatureOf(
  { digest, manifest, signature }: Awaited<ReturnType<typeof getArtifact>>,
  isSigned: IsSigned,
): Promise<ArtifactDetail["signed"]> {
  const covers = digestOfJson(manifestSchema.parse(manifest)) === digest;
  if (!covers || signature.digest !== digest) return "broken";
  const key = await findSigningKey(signature.keyId);
  if (!key) return "unknown_key";
  return isSigned(digest, signature.signature, key.publicKey) ? "holds" : "broken";
}
