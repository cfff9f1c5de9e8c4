import type { Readable } from "node:stream";
import { findBoardModel } from "@/boards";
import { getArtifact, openArtifactFile } from "@/domain/artifacts";
import { listTaskCommands } from "@/domain/boards";
import { listCalls } from "@/domain/lease-calls";
import {
  type BoardKind,
  type Command,
  manifestSchema,
  type PollResponse,
  type SigningKey,
  signatureSchema,
} from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { database, toId } from "@/lib/server/db";

/** Public keys that may sign artifacts, the newest first. */
export async function listSigningKeys(): Promise<PollResponse["signingKeys"]> {
  const keys = await database().signingKey.findMany({ orderBy: { createdAt: "desc" }, take: 20 });
  return keys.map(({ keyId, publicKey, endorsement }) => ({
    keyId,
    publicKey,
    ...(endorsement === null ? {} : { endorsement: endorsement as SigningKey["endorsement"] }),
  }));
}

interface CommandRow {
  readonly id: string;
  readonly slotId: string;
  readonly slotEpoch: number;
  readonly revisionId: string | null;
  readonly ordinal: number | null;
  readonly endpointName: string | null;
  readonly boardId: string;
  readonly boardKey: string;
  readonly boardModel: string;
  readonly boardKind: BoardKind;
  readonly digest: string | null;
  readonly manifest: unknown;
  readonly signature: unknown;
}

/**
 * What a server's slots are told and have not yet done.
 *
 * @param begun Ids of commands that the server says it works on.
 * @param takes Whether it is of a version that knows tasks, and calls of holders of leases.
 */
export async function listCommands(
  serverId: string,
  begun: ReadonlySet<string>,
  takes: { readonly tasks: boolean; readonly calls: boolean },
): Promise<readonly Command[]> {
  const loads = await listLoads(serverId, begun);
  const tasks = takes.tasks ? await listTaskCommands(serverId, begun) : [];
  const calls = takes.calls ? await listCalls(serverId, begun) : [];
  return [...loads, ...tasks, ...calls];
}

async function listLoads(
  serverId: string,
  begun: ReadonlySet<string>,
): Promise<readonly Command[]> {
  const rows = await database().$queryRaw<CommandRow[]>`
    SELECT s.command_id AS id, s.id AS "slotId", s.epoch AS "slotEpoch", s.desired_revision_id AS "revisionId",
      CASE WHEN o.id IS NULL THEN v.ordinal ELSE 1 END AS ordinal,
      coalesce(e.name, 'lse_' || o.lease_id) AS "endpointName", b.id AS "boardId", coalesce(b.key, '') AS "boardKey", b.board_model AS "boardModel", b.kind AS "boardKind",
      a.digest, a.manifest, a.signature
    FROM slot s
    JOIN board b ON b.id = s.board_id
    LEFT JOIN revision v ON v.id = s.desired_revision_id
    LEFT JOIN endpoint e ON e.id = v.endpoint_id
    LEFT JOIN lease_load o ON o.id = s.desired_revision_id
    LEFT JOIN artifact a ON a.digest = coalesce(v.artifact_digest, o.artifact_digest)
    WHERE b.board_server_id = ${serverId}::uuid AND s.command_id IS NOT NULL
    ORDER BY s.command_at`;
  return rows.filter(({ id }) => !begun.has(id)).flatMap(toCommand);
}

function toCommand(row: CommandRow): Command[] {
  const { id, slotEpoch, revisionId, ordinal, endpointName, boardModel, boardKind, digest } = row;
  const slotId = toId("slt", row.slotId);
  if (revisionId === null) return [{ kind: "unload", id, slotId, slotEpoch }];
  const model = findBoardModel(boardModel);
  if (!model || ordinal === null || endpointName === null || digest === null) return [];
  return [
    {
      kind: "load",
      id,
      slotId,
      slotEpoch,
      revisionId: toId("rev", revisionId),
      endpointName,
      version: String(ordinal),
      board: {
        id: toId("brd", row.boardId),
        key: row.boardKey,
        boardModel,
        kind: boardKind,
        part: model.part.flow.kind === "cpu" ? null : model.part.id,
      },
      artifactDigest: digest,
      manifest: manifestSchema.parse(row.manifest),
      signature: signatureSchema.parse(row.signature),
    },
  ];
}

/**
 * One file of an artifact that a slot of this server is told to load or holds.
 *
 * @throws {AppError} `ARTIFACT_UNKNOWN`, also for artifacts that are none of this server's business.
 */
export async function openFileForServer(
  serverId: string,
  artifactDigest: string,
  fileDigest: string,
): Promise<{ readonly stream: Readable; readonly sizeBytes: number }> {
  const [commanded] = await database().$queryRaw<{ one: number }[]>`
    SELECT 1 AS one FROM slot s JOIN board b ON b.id = s.board_id
    LEFT JOIN revision v ON v.id = s.desired_revision_id
    LEFT JOIN lease_load o ON o.id = s.desired_revision_id
    WHERE b.board_server_id = ${serverId}::uuid
      AND (v.artifact_digest = ${artifactDigest} OR o.artifact_digest = ${artifactDigest} OR s.reported_artifact_digest = ${artifactDigest})
    LIMIT 1`;
  const unknown = fail("ARTIFACT_UNKNOWN", "There is no such file for this board server.");
  if (!commanded) throw unknown;
  const { manifest } = await getArtifact(null, artifactDigest);
  const file = manifest.files.find(({ digest }) => digest === fileDigest);
  if (!file) throw unknown;
  return await openArtifactFile(null, artifactDigest, file.role);
}
