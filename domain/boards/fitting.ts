import { type ModelNamed, withModelNames } from "@/domain/uploads";
import {
  type FittingArtifact,
  fittingArtifactSchema,
  idPrefixes,
  type Report,
  type Scope,
} from "@/lib/common/contract";
import { fail, notFound } from "@/lib/common/errors";
import {
  database,
  type Page,
  type PageQuery,
  parseId,
  parsePage,
  sql,
  type Tx,
  toId,
  toPage,
} from "@/lib/server/db";

interface FittingRow {
  digest: string;
  kind: string;
  engine: string;
  modelUrl: string;
  buildId: string;
  createdAt: Date;
  clockHz: number | null;
  resources: Report["resources"] | null;
  endpoints: string[];
  isHere: boolean;
}

interface Target {
  boardModel: string;
  kind: string;
  loads: string;
}

/** That an artifact `a` has a file of a role. */
const has = (role: string) => {
  const files = JSON.stringify([{ role }]);
  return sql`a.manifest -> 'files' @> ${files}::jsonb`;
};

/** What a board of a kind runs; a simulated one the design or its emulation, a real one a bitstream. */
function runsOn({ kind, loads }: Target) {
  if (kind === "cpu") return sql`TRUE`;
  const isBond = sql`${has("metadata")} = ${loads === "bondmachine"}`;
  if (kind === "physical") return sql`${has("bitstream")} AND ${isBond}`;
  return sql`(${has("simulation")} OR ${has("simulation-shell")} OR ${has("emulation")})`;
}

/** That an artifact `a` is for a board, and sound. */
const fitsOn = (board: Target) => sql`(a.manifest ->> 'boardModel' = ${board.boardModel}
  AND a.damaged_at IS NULL AND a.refused IS NULL AND ${runsOn(board)})`;

/**
 * Asks that an artifact is the project's and can be loaded on a board as it is; it is not deleted before the transaction ends.
 *
 * @throws {AppError} `ARTIFACT_UNKNOWN`, `DEVICE_MISMATCH`
 */
export async function requireFitting(
  tx: Tx,
  scope: Scope,
  boardId: string,
  digest: string,
): Promise<void> {
  const board = await tx.board.findUnique({ where: { id: boardId } });
  const [artifact] = board
    ? await tx.$queryRaw<{ fits: boolean }[]>`
        SELECT ${fitsOn(board)} AS fits FROM artifact a WHERE a.digest = ${digest} AND EXISTS (
          SELECT 1 FROM artifact_reference f WHERE f.artifact_digest = a.digest AND f.project_id = ${scope}::uuid)
        FOR SHARE OF a`
    : [];
  if (!artifact) throw notFound("artifact", digest);
  if (artifact.fits) return;
  throw fail("DEVICE_MISMATCH", `${board?.name ?? "The board"} cannot load this artifact.`, {
    hint: "GET /api/v1/boards/ID/artifacts lists those that it can load as they are.",
  });
}

/**
 * Artifacts of the project that a board can load as they are, newest first: made for its model, sound, and of its kind.
 *
 * @throws {AppError} `NOT_FOUND`, `CURSOR_INVALID`
 */
export async function listFitting(
  scope: Scope,
  id: string,
  query: PageQuery,
): Promise<Page<FittingArtifact>> {
  const uuid = parseId(idPrefixes.board, id);
  const board = uuid ? await database().board.findUnique({ where: { id: uuid } }) : null;
  if (!board) throw notFound("board", id);
  const { after, take } = parsePage(query);
  const rows = await database().$queryRaw<FittingRow[]>`
    SELECT a.digest, a.manifest ->> 'kind' AS kind, a.manifest ->> 'engine' AS engine, m.model_url AS "modelUrl",
      m.id AS "buildId", a.created_at AS "createdAt", (a.manifest ->> 'clockHz')::float8 AS "clockHz",
      a.report -> 'resources' AS resources,
      ARRAY(SELECT DISTINCT e.name FROM revision r JOIN endpoint e ON e.id = r.endpoint_id
        JOIN slot_assignment h ON h.revision_id = r.id AND h.released_at IS NULL
        WHERE r.artifact_digest = a.digest AND e.project_id = ${scope}::uuid ORDER BY e.name) AS endpoints,
      EXISTS (SELECT 1 FROM slot l WHERE l.board_id = ${board.id}::uuid AND l.reported_artifact_digest = a.digest) AS "isHere"
    FROM artifact a JOIN LATERAL (
      SELECT d.id, d.model_url FROM artifact_reference f JOIN build d ON d.id = f.build_id
      WHERE f.artifact_digest = a.digest AND f.project_id = ${scope}::uuid ORDER BY d.id LIMIT 1) m ON true
    WHERE ${fitsOn(board)}
      AND ${after === null ? sql`TRUE` : sql`(a.created_at, a.digest) < (SELECT o.created_at, o.digest FROM artifact o WHERE o.digest = ${after})`}
    ORDER BY a.created_at DESC, a.digest DESC LIMIT ${take}`;
  const named = await withModelNames(scope, rows);
  return toPage(named, take, { keyOf: ({ digest }) => digest, show: toFitting });
}

function toFitting({ resources, ...row }: FittingRow & ModelNamed): FittingArtifact {
  const [fullest = null] = (resources ?? [])
    .filter(({ available }) => available > 0)
    .toSorted((a, b) => b.used / b.available - a.used / a.available);
  return fittingArtifactSchema.parse({
    ...row,
    buildId: toId(idPrefixes.build, row.buildId),
    createdAt: row.createdAt.toISOString(),
    fullest,
  });
}
