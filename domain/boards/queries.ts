import {
  type BoardModel,
  findBoardModel,
  findFamily,
  listBoardModels as listCatalogue,
} from "@/boards";
import { leaseOf } from "@/domain/board-holds";
import {
  type Board,
  type BoardKind,
  type BoardModelDetail,
  type BoardModelSummary,
  type BoardState,
  boardModelDetailSchema,
  boardSchema,
  type DrainMode,
  idPrefixes,
  type Loads,
  type Scope,
} from "@/lib/common/contract";
import { notFound } from "@/lib/common/errors";
import { database, type Sql, sql, toId } from "@/lib/server/db";
import { slotSummary, stateOfBoard } from "./state";

/** A board as it is read. */
export interface BoardRow {
  id: string;
  name: string;
  boardModel: string;
  kind: BoardKind;
  loads: Loads;
  state: BoardState;
  serverId: string;
  serverName: string;
  heartbeatAt: Date | null;
  drain: DrainMode | null;
  drainedAt: Date | null;
  lease: LeaseRow | null;
  slots: SlotRow[];
}

interface LeaseRow {
  id: string | null;
  until: string;
  isOurs: boolean;
  person: string | null;
}

interface SlotRow {
  id: string;
  index: number;
  state: Board["slots"][number]["state"];
  artifactDigest: Board["slots"][number]["artifactDigest"];
  endpointName: string | null;
  revisionId: string | null;
  problem: string | null;
}

/** Boards are the installation's; the names of endpoints on them are shown to their own project only. */
const selectBoards = (scope: Scope): Sql => sql`
  SELECT b.id, b.name, b.board_model AS "boardModel", b.kind, b.loads, ${stateOfBoard} AS state, s.id AS "serverId",
    s.name AS "serverName", s.heartbeat_at AS "heartbeatAt", b.drain, b.drained_at AS "drainedAt",
    ${leaseOf(scope)} AS lease, coalesce((SELECT jsonb_agg(jsonb_build_object(
        'id', l.id, 'index', l.index, 'state', l.state,
        'artifactDigest', l.reported_artifact_digest, 'problem', l.problem ->> 'message',
        'endpointName', e.name, 'revisionId', CASE WHEN e.id IS NULL THEN NULL ELSE r.id END) ORDER BY l.index)
      FROM slot l
      LEFT JOIN slot_assignment a ON a.slot_id = l.id AND a.released_at IS NULL
      LEFT JOIN revision r ON r.id = a.revision_id
      LEFT JOIN endpoint e ON e.id = r.endpoint_id AND e.project_id = ${scope}::uuid
      WHERE l.board_id = b.id), '[]'::jsonb) AS slots
  FROM board b JOIN board_server s ON s.id = b.board_server_id ${slotSummary}`;

/** Boards by the ids of their rows, in no order. */
export async function readBoards(
  scope: Scope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Board>> {
  if (ids.length === 0) return new Map();
  const rows = await database().$queryRaw<
    BoardRow[]
  >`${selectBoards(scope)} WHERE b.id = ANY(${[...ids]}::uuid[])`;
  return new Map(rows.map((row) => [row.id, toBoard(row)]));
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

/** One board model as its file says it. @throws {AppError} `NOT_FOUND` */
export function getBoardModelDetail(id: string): BoardModelDetail {
  const model = findBoardModel(id);
  if (!model) throw notFound("boardModel", id);
  return boardModelDetailSchema.parse(model);
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

const toBoard = (row: BoardRow): Board => boardSchema.parse(boardFields(row));

/** What lists and pages say of a board alike. */
export function boardFields(row: BoardRow) {
  return {
    id: toId(idPrefixes.board, row.id),
    name: row.name,
    boardModel: row.boardModel,
    kind: row.kind,
    loads: row.loads,
    state: row.state,
    serverId: toId(idPrefixes.boardServer, row.serverId),
    serverName: row.serverName,
    heartbeatAt: row.heartbeatAt?.toISOString() ?? null,
    ...(row.drain && row.drainedAt
      ? { drain: { since: row.drainedAt.toISOString(), loaded: row.drain } }
      : {}),
    ...(row.lease ? { lease: leaseFields(row.lease) } : {}),
    slots: row.slots.map((slot) => ({
      id: toId(idPrefixes.slot, slot.id),
      index: slot.index,
      state: slot.state,
      artifactDigest: slot.artifactDigest,
      endpointName: slot.endpointName,
      revisionId: slot.revisionId && toId(idPrefixes.revision, slot.revisionId),
      problem: slot.problem,
    })),
  };
}

const leaseFields = ({ id, until, ...lease }: LeaseRow) => ({
  ...lease,
  id: id && toId(idPrefixes.lease, id),
  until: new Date(until).toISOString(),
});
