import { findBoardModel } from "@/boards";
import { withModelNames } from "@/domain/uploads";
import {
  boardKindSchema,
  type Endpoint,
  endpointSchema,
  type Inspection,
  idPrefixes,
  type Manifest,
  type ModelCard,
  modelCardSchema,
  type NewRevision,
  newRevisionSchema,
  type Report,
  type Revision,
  revisionStateSchema,
  type Scope,
} from "@/lib/common/contract";
import { notFound } from "@/lib/common/errors";
import { database, type Sql, sql, toId } from "@/lib/server/db";
import { featuresOf } from "./features";
import { endpointPath } from "./paths";
import { sampleRequest } from "./sample";

interface EndpointRow {
  id: string;
  name: string;
  state: Endpoint["state"];
  reason: string | null;
  problem: Endpoint["problem"];
  createdAt: Date;
  readyAt: Date | null;
  ordinal: number;
  next: number | null;
  paused: boolean;
  access: Endpoint["access"];
  engine: string;
  boardModel: string;
  boardKind: Endpoint["boardKind"];
  boardId: string | null;
  servingReplicas: number;
  modelUrl: string;
  request: NewRevision;
  buildId: string | null;
  artifactDigest: string | null;
  reused: boolean;
  manifest: Manifest | null;
  report: Report | null;
  card: Inspection["card"] | null;
}

/** Joins to `endpoint e` the revision `r` that its route sends to, else its newest. */
export const shownRevision = sql`JOIN LATERAL (
    SELECT r.* FROM revision r LEFT JOIN route t ON t.endpoint_id = e.id
    WHERE r.endpoint_id = e.id
    ORDER BY t.split @> jsonb_build_array(jsonb_build_object('revisionId', r.id)) DESC NULLS LAST, r.turn DESC, r.ordinal DESC
    LIMIT 1
  ) r ON true`;

const selectEndpoint = (scope: Scope): Sql => sql`
  SELECT e.id, e.name, e.state, e.reason, e.problem, e.created_at AS "createdAt", e.ready_at AS "readyAt",
    r.ordinal, e.paused, e.access, r.engine, r.board_model AS "boardModel", r.board_kind AS "boardKind", r.model_url AS "modelUrl",
    r.request, r.build_id AS "buildId", r.artifact_digest AS "artifactDigest",
    b.reused_from_id IS NOT NULL AS reused, a.manifest, a.report,
    (SELECT s.board_id FROM slot_assignment sa JOIN slot s ON s.id = sa.slot_id
      WHERE sa.revision_id = r.id AND sa.released_at IS NULL LIMIT 1) AS "boardId",
    (SELECT count(*)::int FROM slot_assignment sa JOIN slot s ON s.id = sa.slot_id
      WHERE sa.revision_id = r.id AND sa.released_at IS NULL AND s.state = 'serving'
        AND s.reported_epoch = s.epoch AND s.reported_revision_id = r.id) AS "servingReplicas",
    (SELECT n.ordinal FROM revision n WHERE n.endpoint_id = e.id AND n.state IN ('building', 'ready')
      AND n.turn > r.turn ORDER BY n.turn DESC LIMIT 1) AS next,
    (SELECT i.result -> 'card' FROM inspection i
      WHERE i.project_id = e.project_id AND md5(i.url) = md5(r.model_url) AND i.url = r.model_url AND i.state = 'succeeded' AND i.request IS NULL
      ORDER BY i.id DESC LIMIT 1) AS card
  FROM endpoint e
  ${shownRevision}
  LEFT JOIN build b ON b.id = r.build_id
  LEFT JOIN artifact a ON a.digest = r.artifact_digest
  WHERE e.project_id = ${scope}::uuid AND e.deleted_at IS NULL`;

/** @throws {AppError} `ENDPOINT_UNKNOWN` */
export async function getEndpoint(scope: Scope, name: string): Promise<Endpoint> {
  const [row] = await database().$queryRaw<EndpointRow[]>`
    ${selectEndpoint(scope)} AND e.name = ${name}`;
  if (!row) throw notFound("endpoint", name);
  const width = row.manifest?.io.inputs.reduce((sum, { size }) => sum + size, 0);
  const said = { request: row.request, card: cardOf(row) };
  const features = width === undefined ? null : featuresOf(said, width);
  const endpoint = { ...toEndpoint(row), ...(features ? { features } : {}) };
  const [named = endpoint] = await withModelNames(scope, [endpoint]);
  return named;
}

/** Endpoints by their UUIDs; those that are there no more are left out. */
export async function selectEndpoints(
  scope: Scope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Endpoint>> {
  if (ids.length === 0) return new Map();
  const rows = await database().$queryRaw<EndpointRow[]>`
    ${selectEndpoint(scope)} AND e.id = ANY(${[...ids]}::uuid[])`;
  const endpoints = await withModelNames(scope, rows.map(toEndpoint));
  return new Map(endpoints.map((endpoint, at) => [rows[at]?.id ?? "", endpoint]));
}

/** Revisions of an endpoint, newest first. @throws {AppError} `ENDPOINT_UNKNOWN` */
export async function listRevisions(scope: Scope, name: string): Promise<Revision[]> {
  const endpoint = await database().endpoint.findFirst({
    where: { name, projectId: scope, deletedAt: null },
    include: { revisions: { orderBy: { ordinal: "desc" }, take: 200 } },
  });
  if (!endpoint) throw notFound("endpoint", name);
  const revisions = endpoint.revisions.map((revision) => ({
    id: toId(idPrefixes.revision, revision.id),
    ordinal: revision.ordinal,
    state: revisionStateSchema.parse(revision.state),
    engine: revision.engine,
    boardModel: revision.boardModel,
    boardKind: boardKindSchema.parse(revision.boardKind),
    modelUrl: revision.modelUrl,
    request: newRevisionSchema.parse(revision.request),
    artifactDigest: revision.artifactDigest,
    buildId: revision.buildId && toId(idPrefixes.build, revision.buildId),
    createdAt: revision.createdAt.toISOString(),
    servedAt: revision.servedAt?.toISOString() ?? null,
  }));
  return await withModelNames(scope, revisions);
}

function toEndpoint(row: EndpointRow): Endpoint {
  const { manifest, report } = row;
  const boardName = findBoardModel(row.boardModel)?.name ?? row.boardModel;
  const place = row.boardKind === "simulated" ? `${boardName} (simulated)` : boardName;
  const labels = manifest?.io.outputs.find((output) => output.labels)?.labels;
  const outputs = report?.accuracy?.outputs ?? [];
  const tensor = ({ name, datatype, shape }: Endpoint["inputs"][number]) => ({
    name,
    datatype,
    shape,
  });
  return endpointSchema.parse({
    name: row.name,
    state: row.state,
    ...(row.reason ? { reason: row.reason } : {}),
    problem: row.problem,
    url: endpointPath(row.name),
    buildId: row.buildId && toId(idPrefixes.build, row.buildId),
    artifactDigest: row.artifactDigest,
    ...(report?.proof ? { proof: report.proof } : {}),
    ...(report?.origin ? { origin: report.origin } : {}),
    ...(report?.calibration ? { calibration: report.calibration } : {}),
    ...(outputs.length > 1 ? { outputAccuracies: outputs } : {}),
    apiVersion: "V2",
    serviceType: `${row.engine} on ${place}`,
    engine: row.engine,
    boardModel: row.boardModel,
    boardKind: row.boardKind,
    boardId: row.boardId && toId(idPrefixes.board, row.boardId),
    replicas: { serving: row.servingReplicas, wanted: row.request.serving?.replicas ?? 1 },
    modelUrl: row.modelUrl,
    revision: row.ordinal,
    next: row.next,
    paused: row.paused,
    access: row.access,
    reused: row.reused,
    inputs: manifest?.io.inputs.map(tensor) ?? [],
    outputs: manifest?.io.outputs.map(tensor) ?? [],
    ...(labels ? { labels } : {}),
    ...(manifest ? { maxBatchSize: manifest.maxBatchSize } : {}),
    ...(manifest ? { sample: sampleRequest(manifest.io, cardOf(row)) } : {}),
    clockHz: manifest?.clockHz ?? null,
    createdAt: row.createdAt.toISOString(),
    readyAt: row.readyAt?.toISOString() ?? null,
  });
}

function cardOf({ request, card }: EndpointRow): ModelCard | null {
  return request.model.card ?? modelCardSchema.safeParse(card).data ?? null;
}
