import {
  type BoardKind,
  type BuiltBoards,
  type BuiltQuery,
  type EqualBuilds,
  type EqualQuery,
  idPrefixes,
  reportSchema,
  type Scope,
} from "@/lib/common/contract";
import { database, type Sql, sql, toId } from "@/lib/server/db";
import { quantile } from "./quantile";

/** Builds that are looked at: the latest, since they change with the compiler and the machine. */
const latestBuilds = 20;

interface Row {
  id: string;
  seconds: number;
  boardKind: string;
  isOwn: boolean;
  isReusable: boolean;
  endedAt: Date;
  report: unknown;
}

/** Builds `b` with their artifacts `a` that were asked for like this, on whichever board. */
const equalTo = (
  scope: Scope,
  { modelDigest, engine, options = {}, inputRange, calibration }: BuiltQuery,
): Sql => sql`build b JOIN artifact a ON a.digest = b.artifact_digest
  WHERE b.project_id = ${scope}::uuid AND b.state = 'succeeded' AND b.model_digest = ${modelDigest}
    AND b.engine = ${engine}
    AND coalesce(b.request -> 'options', '{}'::jsonb) = ${JSON.stringify(options)}::jsonb
    AND coalesce(b.request -> 'inputRange', 'null'::jsonb) = ${JSON.stringify(inputRange ?? null)}::jsonb
    AND coalesce(b.request -> 'calibration' ->> 'url', '') = ${calibration?.url ?? ""}
    AND NOT coalesce(b.request -> 'model' ? 'card', false)`;

/** Nothing that is known speaks against taking the artifact `a` again: it is sound, and of the same Boardwalk as the newest one. */
const canBeTaken = sql`(a.damaged_at IS NULL AND a.refused IS NULL AND a.manifest ->> 'sourceDigest' =
  (SELECT n.manifest ->> 'sourceDigest' FROM artifact n ORDER BY n.created_at DESC LIMIT 1))`;

/**
 * What the builds of the very same request came to: the same model by its bytes, engine, board model, options, range and rows. An
 * artifact is named when nothing that is known here speaks against its being taken again: it is sound, of the same kind of
 * board, and of the same Boardwalk as the newest artifact.
 */
export async function getEqualBuilds(scope: Scope, query: EqualQuery): Promise<EqualBuilds> {
  const { board, ...request } = query;
  const rows = await database().$queryRaw<Row[]>`
    SELECT b.id, extract(epoch FROM b.ended_at - b.started_at)::float8 AS seconds, b.board_kind AS "boardKind",
      b.reused_from_id IS NULL AS "isOwn", ${canBeTaken} AS "isReusable", b.ended_at AS "endedAt", a.report
    FROM ${equalTo(scope, request)} AND b.board_model = ${board.model}
    ORDER BY b.id DESC LIMIT ${latestBuilds}`;
  const own = rows.filter(({ isOwn }) => isOwn);
  const seconds = own.map((row) => row.seconds).sort((a, b) => a - b);
  const report = reportSchema.safeParse(own[0]?.report).data;
  const reusable = rows.find(({ isReusable, boardKind }) => isReusable && boardKind === board.kind);
  return {
    builds: own.length,
    seconds:
      seconds.length === 0
        ? null
        : { median: quantile(seconds, 0.5), low: seconds[0] ?? 0, high: seconds.at(-1) ?? 0 },
    // Of a design that was timed: where a vendor's tool is missing nothing was reached.
    clock:
      report?.clockHz === undefined || report.achievedMhz === undefined
        ? null
        : { hz: report.clockHz, achievedMhz: report.achievedMhz },
    cycles: report?.latencyCycles ?? null,
    reusable: reusable
      ? { buildId: toId(idPrefixes.build, reusable.id), at: reusable.endedAt.toISOString() }
      : null,
  };
}

/** Boards that are told of: more than the catalogue has. */
const mostBoards = 200;

/** For which boards an artifact of this request exists that would be taken again, and how long that takes here. */
export async function getBuiltBoards(scope: Scope, query: BuiltQuery): Promise<BuiltBoards> {
  const [rows, reuse] = await Promise.all([
    database().$queryRaw<{ id: string; model: string; kind: BoardKind; endedAt: Date }[]>`
      SELECT DISTINCT ON (b.board_model, b.board_kind) b.id, b.board_model AS model, b.board_kind AS kind,
        b.ended_at AS "endedAt"
      FROM ${equalTo(scope, query)} AND ${canBeTaken}
      ORDER BY b.board_model, b.board_kind, b.id DESC LIMIT ${mostBoards}`,
    database().$queryRaw<{ seconds: number | null }[]>`
      SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds) AS seconds FROM (
        SELECT extract(epoch FROM ended_at - started_at)::float8 AS seconds FROM build
        WHERE project_id = ${scope}::uuid AND state = 'succeeded' AND reused_from_id IS NOT NULL
        ORDER BY id DESC LIMIT ${latestBuilds}) latest`,
  ]);
  return {
    items: rows.map(({ id, model, kind, endedAt }) => ({
      boardModel: model,
      boardKind: kind,
      buildId: toId(idPrefixes.build, id),
      at: endedAt.toISOString(),
    })),
    reuseSeconds: reuse[0]?.seconds ?? null,
  };
}
