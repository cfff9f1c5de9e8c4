import { isKeptForPeople } from "@/domain/board-holds";
import {
  type Board,
  type BoardFilter,
  type BoardKind,
  type BoardListCounts,
  type BoardSort,
  type BoardState,
  boardKinds,
  boardListCountsSchema,
  type ExportedBoard,
  exportedBoardSchema,
  idPrefixes,
  type Scope,
} from "@/lib/common/contract";
import {
  behind,
  database,
  emptySql,
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
import { readBoards } from "./queries";
import { isSilent, slotSummary, stateOfBoard } from "./state";

/** Which boards, and in which order. */
export interface BoardQuery extends BoardFilter {
  readonly sort?: BoardSort | undefined;
}

const id = sql`b.id`;

const text = (value: Sql) =>
  ({ value: sql`left(${value}, 250) COLLATE "C"`, type: "text" }) as const;

/** Hardware first, then what is simulated, then CPUs; each by its server and its name. */
const byKind = text(
  sql`CASE b.kind WHEN 'physical' THEN '1' WHEN 'simulated' THEN '2' ELSE '3' END || s.name || ' ' || b.name`,
);

const keys = {
  created: undefined,
  kind: byKind,
  name: text(sql`b.name`),
  state: text(stateOfBoard),
  server: text(sql`s.name || ' ' || b.name`),
} as const;

const inOrder = (sort: BoardSort = "kind"): Order => orderOf(sort, { id, keys });

/** In its name, its model, its server's name, or the name of an endpoint of the project on it. */
function found(scope: Scope, words: string): Sql {
  const pattern = likePattern(words);
  return sql`(b.name ILIKE ${pattern} OR b.board_model ILIKE ${pattern} OR s.name ILIKE ${pattern} OR EXISTS (
    SELECT 1 FROM slot f JOIN slot_assignment fa ON fa.slot_id = f.id AND fa.released_at IS NULL
    JOIN revision fr ON fr.id = fa.revision_id JOIN endpoint fe ON fe.id = fr.endpoint_id
    WHERE f.board_id = b.id AND fe.project_id = ${scope}::uuid AND fe.name ILIKE ${pattern}))`;
}

/** Boards that match; their slots are looked at only where filter or order speak of states. */
function matching(scope: Scope, filter: BoardFilter, speaksOfState: boolean): Sql {
  const { state = [], kind, board, server, search = "" } = filter;
  return sql`board b JOIN board_server s ON s.id = b.board_server_id
    ${speaksOfState || state.length > 0 ? slotSummary : emptySql}
    WHERE b.removed_at IS NULL
    AND ${state.length > 0 ? isAnyOf(stateOfBoard, state) : sql`TRUE`}
    AND ${isAnyOf(sql`b.kind`, kind)} AND ${isAnyOf(sql`b.board_model`, board)}
    AND ${isAnyOf(sql`s.name`, server)} AND ${search === "" ? sql`TRUE` : found(scope, search)}`;
}

const isByState = (sort: BoardSort = "kind") => sort === "state" || sort === "-state";

/**
 * Boards of the installation that match, hardware first if nothing else is asked. A page is stable: boards that come meanwhile
 * neither push others out nor let them come twice.
 *
 * @throws {AppError} `CURSOR_INVALID`
 */
export async function listBoards(
  scope: Scope,
  { limit, cursor, sort, ...filter }: PageQuery & BoardQuery,
): Promise<Page<Board>> {
  const read = ({ order, cursor: from, take }: PagePlace) =>
    database().$queryRaw<KeysetRow[]>`
      SELECT b.id, ${keyText(order)} AS key FROM ${matching(scope, filter, isByState(sort))} AND ${behind(order, from)}
      ORDER BY ${orderBy(order)} LIMIT ${take}`;
  const page = await readKeysetPage(inOrder(sort), { limit, cursor }, read);
  const byId = await readBoards(scope, page.items);
  return { ...page, items: page.items.flatMap((each) => byId.get(each) ?? []) };
}

interface CountRow {
  state: BoardState;
  count: number;
  slots: number;
  free: number;
}

/** How many boards that match are in each state, whichever states are chosen, and what room they have. */
export async function countBoards(
  scope: Scope,
  { state: _, ...filter }: BoardFilter,
): Promise<BoardListCounts> {
  const db = database();
  const [rows, present, simulated] = await Promise.all([
    db.$queryRaw<CountRow[]>`
      SELECT state, count(*)::int AS count, sum(slots)::int AS slots, sum(free)::int AS free FROM (
        SELECT ${stateOfBoard} AS state, o.slots,
          CASE WHEN b.drain IS NULL AND NOT ${isSilent} AND NOT ${isKeptForPeople} THEN o.free ELSE 0 END AS free
        FROM ${matching(scope, filter, true)}) each GROUP BY state`,
    db.$queryRaw<{ kind: BoardKind; board: string; server: string }[]>`
      SELECT DISTINCT b.kind, b.board_model AS board, s.name AS server
      FROM board b JOIN board_server s ON s.id = b.board_server_id WHERE b.removed_at IS NULL`,
    db.$queryRaw<{ capacity: number; used: number }[]>`
      SELECT coalesce(sum(s.simulated_capacity), 0)::int AS capacity, coalesce(sum(
          (SELECT count(*) FROM board b WHERE b.board_server_id = s.id AND b.kind = 'simulated' AND b.removed_at IS NULL)
        ), 0)::int AS used
      FROM board_server s WHERE NOT ${isSilent}`,
  ]);
  const distinct = (values: readonly string[]) => [...new Set(values)].sort();
  const sum = (key: "slots" | "free") => rows.reduce((total, row) => total + row[key], 0);
  return boardListCountsSchema.parse({
    states: rows.map(({ state, count }) => ({ state, count })),
    kinds: boardKinds.filter((kind) => present.some((each) => each.kind === kind)),
    boards: distinct(present.map(({ board }) => board)),
    servers: distinct(present.map(({ server }) => server)),
    slots: { all: sum("slots"), free: sum("free") },
    simulated: simulated[0] ?? { capacity: 0, used: 0 },
  });
}

interface ExportRow extends KeysetRow {
  heartbeatAt: Date | null;
  createdAt: Date;
}

/** Every board that matches, in order, some at a time. */
export async function* exportBoards(
  scope: Scope,
  { sort, ...filter }: BoardQuery,
): AsyncGenerator<readonly ExportedBoard[]> {
  const order = inOrder(sort);
  const read = (cursor: string | undefined, take: number) =>
    database().$queryRaw<ExportRow[]>`
      SELECT b.id, ${keyText(order)} AS key, b.name, b.board_model AS "boardModel", b.kind, ${stateOfBoard} AS state,
        b.drain, s.name AS server, s.heartbeat_at AS "heartbeatAt", o.slots, o.free AS "freeSlots",
        coalesce((SELECT string_agg(DISTINCT e.name, ' ') FROM slot l
          JOIN slot_assignment a ON a.slot_id = l.id AND a.released_at IS NULL
          JOIN revision r ON r.id = a.revision_id JOIN endpoint e ON e.id = r.endpoint_id
          WHERE l.board_id = b.id AND e.project_id = ${scope}::uuid), '') AS endpoints, b.created_at AS "createdAt"
      FROM ${matching(scope, filter, true)} AND ${behind(order, cursor)}
      ORDER BY ${orderBy(order)} LIMIT ${take}`;
  for await (const rows of readInSteps(order, read)) yield rows.map(toExported);
}

const toExported = ({ id: uuid, heartbeatAt, createdAt, ...row }: ExportRow): ExportedBoard =>
  exportedBoardSchema.parse({
    ...row,
    id: toId(idPrefixes.board, uuid),
    heartbeatAt: heartbeatAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  });
