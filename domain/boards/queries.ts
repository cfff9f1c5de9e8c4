import { type BoardModel, findFamily, listBoardModels as listCatalogue } from "@/boards";
import {
  type Board,
  type BoardKind,
  type BoardModelSummary,
  type BoardState,
  boardSchema,
  idPrefixes,
  type Loads,
  type Scope,
} from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { database, parseId, type Sql, sql, toId } from "@/lib/server/db";

interface BoardRow {
  id: string;
  name: string;
  boardModel: string;
  kind: BoardKind;
  loads: Loads;
  serverId: string;
  serverName: string;
  heartbeatAt: Date | null;
  silent: boolean;
  slots: {
    id: string;
    index: number;
    state: Board["slots"][number]["state"];
    commanded: boolean;
    artifactDigest: Board["slots"][number]["artifactDigest"];
    endpointName: string | null;
    revisionId: string | null;
    problem: string | null;
  }[];
}

/** Boards are the installation's; the names of endpoints on them are shown to their own project only. */
const selectBoards = (scope: Scope): Sql => sql`
  SELECT b.id, b.name, b.board_model AS "boardModel", b.kind, b.loads, s.id AS "serverId", s.name AS "serverName",
    s.heartbeat_at AS "heartbeatAt",
    coalesce(s.heartbeat_at < now() - interval '15 seconds', true) AS silent,
    coalesce((SELECT jsonb_agg(jsonb_build_object(
        'id', l.id, 'index', l.index, 'state', l.state, 'commanded', l.command_id IS NOT NULL,
        'artifactDigest', l.reported_artifact_digest, 'problem', l.problem ->> 'message',
        'endpointName', e.name, 'revisionId', CASE WHEN e.id IS NULL THEN NULL ELSE r.id END) ORDER BY l.index)
      FROM slot l
      LEFT JOIN slot_assignment a ON a.slot_id = l.id AND a.released_at IS NULL
      LEFT JOIN revision r ON r.id = a.revision_id
      LEFT JOIN endpoint e ON e.id = r.endpoint_id AND e.project_id = ${scope}::uuid
      WHERE l.board_id = b.id), '[]'::jsonb) AS slots
  FROM board b JOIN board_server s ON s.id = b.board_server_id
  WHERE b.removed_at IS NULL`;

/** Every board of the installation, by server and name. */
export async function listBoards(scope: Scope): Promise<Board[]> {
  const rows = await database().$queryRaw<
    BoardRow[]
  >`${selectBoards(scope)} ORDER BY s.name, b.kind, b.id`;
  return rows.map(toBoard);
}

/** @throws {AppError} `BOARD_UNKNOWN`, 404 */
export async function getBoard(scope: Scope, id: string): Promise<Board> {
  const uuid = parseId(idPrefixes.board, id);
  const [row] = uuid
    ? await database().$queryRaw<BoardRow[]>`${selectBoards(scope)} AND b.id = ${uuid}::uuid`
    : [];
  if (!row) throw fail("NOT_FOUND", "There is no such board.");
  return toBoard(row);
}

/** The catalogue, with the kinds in which each model can be had here. */
export async function listBoardModels(): Promise<BoardModelSummary[]> {
  const physical = await database().board.groupBy({
    by: ["boardModel"],
    where: { kind: "physical", removedAt: null },
  });
  const connected = new Set(physical.map(({ boardModel }) => boardModel));
  return listCatalogue().map((model) => toSummary(model, connected.has(model.id)));
}

function toSummary(model: BoardModel, isConnected: boolean): BoardModelSummary {
  const { flow, resources } = model.part;
  const kinds: BoardKind[] = flow.kind === "cpu" ? ["cpu"] : ["simulated"];
  if (isConnected) kinds.push("physical");
  const counts = Object.entries(resources).filter((entry): entry is [string, number] =>
    Number.isFinite(entry[1]),
  );
  return {
    id: model.id,
    aliases: [...(model.aliases ?? [])],
    name: model.name,
    vendor: model.vendor,
    family: model.part.family,
    part: model.part.id,
    bitstreamNeeds: findFamily(model.part)?.vendor?.tool(model) ?? null,
    resources: Object.fromEntries(counts),
    clockHz: model.standardClocksHz[0] ?? model.clocks[0]?.hz ?? null,
    link: model.links[0]?.kind ?? null,
    verifiedOnHardware: flow.kind === "cpu" || model.verifiedOnHardware !== undefined,
    kinds,
  };
}

function toBoard(row: BoardRow): Board {
  return boardSchema.parse({
    id: toId(idPrefixes.board, row.id),
    name: row.name,
    boardModel: row.boardModel,
    kind: row.kind,
    loads: row.loads,
    state: boardState(row),
    serverId: toId(idPrefixes.boardServer, row.serverId),
    serverName: row.serverName,
    heartbeatAt: row.heartbeatAt?.toISOString() ?? null,
    slots: row.slots.map((slot) => ({
      id: toId(idPrefixes.slot, slot.id),
      index: slot.index,
      state: slot.state,
      artifactDigest: slot.artifactDigest,
      endpointName: slot.endpointName,
      revisionId: slot.revisionId && toId(idPrefixes.revision, slot.revisionId),
      problem: slot.problem,
    })),
  });
}

/** A board's state is that of its slots, the worst news first. */
function boardState({ silent, slots }: BoardRow): BoardState {
  if (silent) return "offline";
  if (slots.some(({ state, problem }) => state === "unreachable" || state === "unknown" || problem))
    return "degraded";
  if (slots.some(({ state, commanded }) => commanded || state === "loading" || state === "testing"))
    return "programming";
  return slots.some(({ state }) => state === "serving") ? "serving" : "free";
}
