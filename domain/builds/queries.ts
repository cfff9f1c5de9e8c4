import { isAlive } from "@/domain/leases";
import { runsWithinQuota } from "@/domain/quotas";
import { withModelNames } from "@/domain/uploads";
import {
  type ArtifactFile,
  type Build,
  type BuildState,
  type BuildWaitsFor,
  type Digest,
  idPrefixes,
  manifestSchema,
  newRevisionSchema,
  type ProofLevel,
  type Report,
  reportSchema,
  type Scope,
  type Stage,
  type StageRun,
  type StageState,
  stageNames,
} from "@/lib/common/contract";
import { type ErrorData, notFound } from "@/lib/common/errors";
import { database, parseId, type Sql, sql, toId } from "@/lib/server/db";
import { priorityOf } from "./priority";

interface BuildRow {
  id: string;
  state: BuildState;
  engine: string;
  boardModel: string;
  boardKind: Build["boardKind"];
  modelUrl: string;
  request: { readonly options?: Record<string, unknown> } | null;
  endpointName: string | null;
  rank: number;
  labels: string[];
  planDigest: Digest | null;
  artifactDigest: Digest | null;
  reusedFromId: string | null;
  reusedVisible: boolean;
  waitsForId: string | null;
  isBeyondQuota: boolean;
  report: Report | null;
  problem: Build["problem"];
  cancelling: boolean;
  epoch: number;
  stages: Stage[] | null;
  lines: number | null;
  logTruncated: boolean | null;
  createdAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
}

/** A waiting build shows the stages of the one it waits for: they are the same work. */
const selectBuild = (scope: Scope, report = sql`b.report`): Sql => sql`
  SELECT b.id, b.state, b.engine, b.board_model AS "boardModel", b.board_kind AS "boardKind",
    b.model_url AS "modelUrl", b.request, b.endpoint_name AS "endpointName", b.priority AS rank, b.labels, b.plan_digest AS "planDigest",
    b.artifact_digest AS "artifactDigest", b.reused_from_id AS "reusedFromId", b.waits_for_id AS "waitsForId",
    b.state = 'queued' AND NOT ${runsWithinQuota} AS "isBeyondQuota",
    EXISTS (SELECT 1 FROM build o WHERE o.id = b.reused_from_id AND o.project_id = ${scope}::uuid) AS "reusedVisible",
    ${report} AS report, b.problem, b.cancel_requested_at IS NOT NULL AS cancelling, b.lease_epoch AS epoch,
    coalesce(t.stages, a.stages) AS stages, a.lines, a.log_truncated AS "logTruncated",
    b.created_at AS "createdAt", b.started_at AS "startedAt", b.ended_at AS "endedAt"
  FROM build b
  LEFT JOIN attempt a ON a.build_id = b.id AND a.epoch = b.lease_epoch
  LEFT JOIN build w ON w.id = b.waits_for_id
  LEFT JOIN attempt t ON t.build_id = w.id AND t.epoch = w.lease_epoch
  WHERE b.project_id = ${scope}::uuid`;

/** @throws {AppError} `BUILD_UNKNOWN` */
export async function getBuild(scope: Scope, id: string): Promise<Build> {
  const uuid = parseId(idPrefixes.build, id);
  const [row] = uuid
    ? await database().$queryRaw<BuildRow[]>`${selectBuild(scope)} AND b.id = ${uuid}::uuid`
    : [];
  if (!row) throw notFound("build", id);
  const request = newRevisionSchema.safeParse(row.request).data;
  const [build = toBuild(row)] = await withModelNames(scope, [toBuild(row)]);
  return { ...build, ...(request ? { request } : {}) };
}

/** Pictures of a build are told with the build itself: fifty of them would make a list slow. */
const withoutPictures = sql`b.report - ARRAY['sections', 'clocks', 'timeline']`;

/** Builds as a list shows them; `rest` goes on after the condition on the project. */
export async function selectListed(scope: Scope, rest: Sql): Promise<Build[]> {
  const rows = await database().$queryRaw<BuildRow[]>`
    ${selectBuild(scope, withoutPictures)} ${rest}`;
  return await withModelNames(scope, rows.map(toBuild));
}

/** Of several artifacts of a plan the one that is not known to be damaged. */
export const soundFirst = [
  { damagedAt: { sort: "asc", nulls: "first" } },
  { createdAt: "desc" },
] as const;

/** An artifact that was made from an equal plan. */
export interface Reusable {
  readonly artifactDigest: string;
  /** The build that made it. */
  readonly buildId: string;
  readonly files: readonly ArtifactFile[];
  readonly clockHz: number | null;
  /** At which levels it was proven; null where it was not proven by levels. */
  readonly levels: readonly ProofLevel[] | null;
  /** Why it is not to be taken, where a later check found that. */
  readonly refused: ErrorData | null;
}

/** The artifact of this plan, if it was ever made. Whether its bytes are right is not known. */
export async function findReusable(planDigest: string): Promise<Reusable | null> {
  const row = await database().artifact.findFirst({
    where: { planDigest },
    orderBy: [...soundFirst],
    select: { digest: true, buildId: true, manifest: true, report: true, refused: true },
  });
  if (!row) return null;
  const { files, clockHz = null } = manifestSchema.parse(row.manifest);
  const { proof } = reportSchema.parse(row.report);
  return {
    artifactDigest: row.digest,
    buildId: row.buildId,
    files,
    clockHz,
    levels: proof?.levels?.map(({ level }) => level) ?? null,
    refused: row.refused as ErrorData | null,
  };
}

/** Whether a worker that was heard of in time has the build. */
export async function isBuildAlive(buildId: string): Promise<boolean> {
  const rows = await database().$queryRaw<object[]>`
    SELECT 1 FROM build WHERE id = ${buildId}::uuid AND ${isAlive("build")}`;
  return rows.length > 0;
}

/** The number of the attempt that has a build, though its lease may be late; null when none has. */
export async function findAttempt(buildId: string): Promise<number | null> {
  const [row] = await database().$queryRaw<{ epoch: number }[]>`
    SELECT lease_epoch AS epoch FROM build
    WHERE id = ${buildId}::uuid AND state IN ('preparing', 'running')`;
  return row?.epoch ?? null;
}

function toBuild(row: BuildRow): Build {
  const options = row.request?.options;
  const wait = waitsFor(row);
  return {
    id: toId(idPrefixes.build, row.id),
    state: row.state,
    stages: stagesOf(row),
    reused: row.reusedFromId !== null,
    ...(row.reusedFromId && row.reusedVisible
      ? { reusedFrom: toId(idPrefixes.build, row.reusedFromId) }
      : {}),
    cancelling: row.cancelling && row.endedAt === null,
    attempt: row.epoch,
    engine: row.engine,
    boardModel: row.boardModel,
    boardKind: row.boardKind,
    modelUrl: row.modelUrl,
    ...(options && Object.keys(options).length > 0 ? { options } : {}),
    endpointName: row.endpointName,
    priority: priorityOf(row.rank),
    labels: row.labels,
    planDigest: row.planDigest,
    artifactDigest: row.artifactDigest,
    problem: row.problem,
    ...(row.report ? { report: row.report } : {}),
    lines: row.lines ?? 0,
    ...(row.logTruncated ? { logTruncated: true } : {}),
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
    waitingFor: wait && waitWords[wait],
    waitsFor: wait,
  };
}

/**
 * Stages as they stand now that the build is what it is: whatever was stopped by a cancel did not fail, and nothing runs in
 * a build that has ended, though its worker went before it could say so.
 */
export function stagesOf({
  state,
  stages,
  endedAt,
}: Pick<BuildRow, "state" | "stages" | "endedAt">): Stage[] {
  if (!stages?.length) return waitingStages;
  if (!endedAt || state === "succeeded") return stages;
  const stopped = state === "cancelled" ? "cancelled" : "failed";
  return stages.map((stage) => {
    if (stage.state === "failed")
      return {
        ...stage,
        state: stopped,
        ...(stage.runs ? { runs: stage.runs.map((run) => endAs(run, stopped)) } : {}),
      };
    if (stage.state !== "running") return stage;
    const startedMs = stage.startedAt ? Date.parse(stage.startedAt) : endedAt.getTime();
    const durationMs = Math.max(0, endedAt.getTime() - startedMs);
    return { ...stage, state: stopped, durationMs, ...runsUntil(endedAt, stopped, stage) };
  });
}

/** Whatever a cancel stopped did not fail. */
const endAs = (run: StageRun, state: StageState): StageRun =>
  run.state === "failed" ? { ...run, state } : run;

/** The runs of a stage, the open one ended. */
function runsUntil(endedAt: Date, state: StageState, { runs }: Stage): Pick<Stage, "runs"> {
  if (!runs) return {};
  return {
    runs: runs.map((run) =>
      run.endedAt === null ? { ...run, state, endedAt: endedAt.toISOString() } : run,
    ),
  };
}

const waitingStages: Stage[] = stageNames.map((name) => ({
  name,
  state: "waiting",
  durationMs: null,
}));

function waitsFor(row: BuildRow): BuildWaitsFor | null {
  if (row.endedAt) return null;
  if (row.waitsForId) return "equal-build";
  if (row.state !== "queued") return null;
  if (row.isBeyondQuota) return "quota";
  return row.epoch > 0 ? "worker-after-loss" : "worker";
}

const waitWords = {
  worker: "a free worker",
  "worker-after-loss": "a free worker, after a lost one",
  "equal-build": "an equal build that runs now",
  quota: "the end of another build of its project, of which as many run as its quota lets",
} as const satisfies Record<BuildWaitsFor, string>;
