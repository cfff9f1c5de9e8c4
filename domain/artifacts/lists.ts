import { type ModelNamed, withModelNames } from "@/domain/uploads";
import {
  type ArtifactFilter,
  type ArtifactListCounts,
  type ArtifactSort,
  type ExportedArtifact,
  exportedArtifactSchema,
  idPrefixes,
  type ListedArtifact,
  listedArtifactSchema,
  type ProofState,
  type Scope,
} from "@/lib/common/contract";
import {
  behind,
  createdSince,
  database,
  isAnyOf,
  type KeysetRow,
  keyText,
  likePattern,
  type Order,
  orderBy,
  orderOf,
  type Page,
  type PagePlace,
  type PageQuery,
  readInSteps,
  readKeysetPage,
  type Sql,
  sql,
  toId,
} from "@/lib/server/db";
import { ownBuild } from "./own-build";
import { selectUses } from "./uses";

/** Which artifacts, and in which order. */
export interface ArtifactQuery extends ArtifactFilter {
  readonly sort?: ArtifactSort | undefined;
}

/** Each artifact has one build that made it, and builds are numbered by time. */
const id = sql`a.build_id`;

/** Each has an index of its own, with the id behind it. */
const keys = {
  created: undefined,
  size: { value: sql`a.size_bytes`, type: "bigint" },
  clock: { value: sql`coalesce(a.clock_hz, -1)`, type: "bigint" },
} as const;

const inOrder = (sort: ArtifactSort = "-created"): Order => orderOf(sort, { id, keys });

/** A digest by how it begins, a model by any part of its address; also an endpoint that was made with it, by name. */
function found(scope: Scope, text: string): Sql {
  const pattern = likePattern(text);
  const digest = `${text.toLowerCase().replace(/^(sha256:)?/, "sha256:")}%`;
  return /^(sha256:)?[0-9a-f]{4,64}$/i.test(text)
    ? sql`a.digest LIKE ${digest}`
    : sql`EXISTS (
        SELECT 1 FROM build m JOIN artifact_reference f ON f.build_id = m.id
        WHERE f.artifact_digest = a.digest AND f.project_id = ${scope}::uuid
          AND (coalesce(m.endpoint_name, '') || ' ' || m.model_url) ILIKE ${pattern})`;
}

const matches = (scope: Scope, { state, engine, board, search, since }: ArtifactFilter): Sql => sql`
  EXISTS (SELECT 1 FROM artifact_reference f WHERE f.artifact_digest = a.digest AND f.project_id = ${scope}::uuid)
  AND ${isAnyOf(sql`a.proof_state`, state)}
  AND ${isAnyOf(sql`a.engine`, engine)}
  AND ${isAnyOf(sql`a.board_model`, board)}
  AND ${search ? found(scope, search) : sql`TRUE`}
  AND ${createdSince(sql`a.created_at`, since)}`;

interface ListedRow {
  /** What the list is ordered by. */
  id: string;
  buildId: string;
  digest: string;
  kind: string;
  engine: string;
  boardModel: string;
  modelUrl: string;
  sizeBytes: bigint;
  clockHz: bigint | null;
  resources: unknown;
  state: ProofState;
  tools: unknown;
  usedBy: string[];
  pinned: boolean;
  createdAt: Date;
}

/**
 * Artifacts that builds of a project refer to, newest first if nothing else is asked. A page is stable: artifacts that come
 * meanwhile neither push others out nor let them come twice.
 *
 * @throws {AppError} `CURSOR_INVALID`
 */
export async function listArtifacts(
  scope: Scope,
  { limit, cursor, sort, ...filter }: PageQuery & ArtifactQuery,
): Promise<Page<ListedArtifact>> {
  // Keys first: manifests and reports are wide, and only those of the page are read.
  const read = ({ order, cursor: from, take }: PagePlace) =>
    database().$queryRaw<KeysetRow[]>`
      SELECT a.build_id AS id, ${keyText(order)} AS key FROM artifact a
      WHERE ${matches(scope, filter)} AND ${behind(order, from)}
      ORDER BY ${orderBy(order)} LIMIT ${take}`;
  const { items: ids, ...cursors } = await readKeysetPage(inOrder(sort), { limit, cursor }, read);
  const listed = ids.length > 0 ? await selectListed(scope, ids) : [];
  const named = await withModelNames(scope, listed);
  const byId = new Map(named.map((row) => [row.id, row]));
  return {
    items: ids.flatMap((each) => {
      const row = byId.get(each);
      return row ? [toListed(row)] : [];
    }),
    ...cursors,
  };
}

/** The model is that of a build of the project: whose build made it may be nobody's business here. */
const selectListed = (scope: Scope, ids: readonly string[]): Promise<ListedRow[]> =>
  database().$queryRaw<ListedRow[]>`
    SELECT a.build_id AS id, ${ownBuild(scope)} AS "buildId", a.digest, a.manifest ->> 'kind' AS kind, a.engine,
      a.board_model AS "boardModel", coalesce(${modelUrlIn(scope)}, '') AS "modelUrl", a.size_bytes AS "sizeBytes", a.clock_hz AS "clockHz",
      a.report -> 'resources' AS resources, a.proof_state AS state, a.manifest -> 'tools' AS tools,
      ${isPinned(scope)} AS pinned, a.created_at AS "createdAt", ARRAY(
        SELECT DISTINCT u.endpoint FROM (${selectUses(sql`a.digest`)}) u
        WHERE u.project_id = ${scope}::uuid AND u.role IN ('serves', 'loads') ORDER BY 1) AS "usedBy"
    FROM artifact a WHERE a.build_id = ANY(${[...ids]}::uuid[])`;

const isPinned = (scope: Scope): Sql => sql`
  EXISTS (SELECT 1 FROM artifact_pin p WHERE p.artifact_digest = a.digest AND p.project_id = ${scope}::uuid)`;

const modelUrlIn = (scope: Scope): Sql => sql`(
  SELECT m.model_url FROM artifact_reference f JOIN build m ON m.id = f.build_id
  WHERE f.artifact_digest = a.digest AND f.project_id = ${scope}::uuid ORDER BY m.id LIMIT 1)`;

const toListed = ({ id: _, sizeBytes, clockHz, ...row }: ListedRow & ModelNamed) =>
  listedArtifactSchema.parse({
    ...row,
    sizeBytes: Number(sizeBytes),
    clockHz: clockHz === null ? null : Number(clockHz),
    resources: row.resources ?? [],
    tools: row.tools ?? {},
    buildId: toId(idPrefixes.build, row.buildId),
    createdAt: row.createdAt.toISOString(),
  });

/** How many artifacts that match stand in each way, whichever are chosen. */
export async function countArtifacts(
  scope: Scope,
  { state: _, ...filter }: ArtifactFilter,
): Promise<ArtifactListCounts> {
  const db = database();
  const [states, choices] = await Promise.all([
    db.$queryRaw<{ state: ProofState; count: number }[]>`
      SELECT a.proof_state AS state, count(*)::int AS count FROM artifact a
      WHERE ${matches(scope, filter)} GROUP BY 1`,
    db.$queryRaw<{ engine: string; board: string }[]>`
      SELECT DISTINCT a.engine, a.board_model AS board FROM artifact a WHERE ${matches(scope, {})}`,
  ]);
  const sorted = (values: readonly string[]) => [...new Set(values)].sort();
  return {
    states,
    engines: sorted(choices.map(({ engine }) => engine)),
    boards: sorted(choices.map(({ board }) => board)),
  };
}

type ExportRow = KeysetRow & Omit<ListedRow, "id" | "resources" | "tools" | "usedBy">;

/** Every artifact that matches, in order, some at a time. */
export async function* exportArtifacts(
  scope: Scope,
  { sort, ...filter }: ArtifactQuery,
): AsyncGenerator<readonly ExportedArtifact[]> {
  const order = inOrder(sort);
  const read = (cursor: string | undefined, take: number) =>
    database().$queryRaw<ExportRow[]>`
      SELECT a.build_id AS id, ${ownBuild(scope)} AS "buildId", ${keyText(order)} AS key, a.digest, a.manifest ->> 'kind' AS kind, a.engine,
        a.board_model AS "boardModel", a.proof_state AS state, a.size_bytes AS "sizeBytes", a.clock_hz AS "clockHz",
        coalesce(${modelUrlIn(scope)}, '') AS "modelUrl", ${isPinned(scope)} AS pinned, a.created_at AS "createdAt"
      FROM artifact a WHERE ${matches(scope, filter)} AND ${behind(order, cursor)}
      ORDER BY ${orderBy(order)} LIMIT ${take}`;
  for await (const rows of readInSteps(order, read)) {
    yield (await withModelNames(scope, rows)).map(toExported);
  }
}

const toExported = ({
  id: _,
  buildId,
  sizeBytes,
  clockHz,
  createdAt,
  ...row
}: ExportRow & ModelNamed) =>
  exportedArtifactSchema.parse({
    ...row,
    modelName: row.modelName ?? null,
    sizeBytes: Number(sizeBytes),
    clockHz: clockHz === null ? null : Number(clockHz),
    buildId: toId(idPrefixes.build, buildId),
    createdAt: createdAt.toISOString(),
  });
