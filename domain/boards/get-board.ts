import { findBoardModel } from "@/boards";
import { leaseOf } from "@/domain/board-holds";
import {
  adoptedBoardSchema,
  type BoardDetail,
  boardDetailSchema,
  idPrefixes,
  type Scope,
  type SlotState,
  type TensorAddress,
  tensorAddressSchema,
} from "@/lib/common/contract";
import { type ErrorData, notFound } from "@/lib/common/errors";
import { database, parseId, sql, toId } from "@/lib/server/db";
import { digestOf } from "@/lib/server/digest";
import { type BoardRow, boardFields } from "./queries";
import { refusalsOf } from "./refusals";
import { isFreeSlot, isSilent, slotSummary, stateOfBoard } from "./state";
import { listTasks } from "./tasks";

interface DetailRow extends Omit<BoardRow, "slots"> {
  key: string;
  createdAt: Date;
  removedAt: Date | null;
  silent: boolean;
  version: string | null;
  address: unknown;
  publicKey: string;
  enrolledAt: Date;
  simulatedCapacity: number;
  adopted: unknown;
  attachedAt: string | null;
  slots: DetailSlotRow[];
}

interface DetailSlotRow {
  id: string;
  index: number;
  state: SlotState;
  artifactDigest: BoardDetail["slots"][number]["artifactDigest"];
  endpointName: string | null;
  revisionId: string | null;
  free: boolean;
  isWanted: boolean;
  wanted: BoardDetail["slots"][number]["wanted"];
  matches: boolean | null;
  pinned: boolean;
  elsewhere: number;
  buildId: string | null;
  changedAt: string;
  problem: ErrorData | null;
}

/**
 * What a slot `l` should hold beside what it holds; the names are those of the project's own endpoints. Nobody can tell whether
 * it matches while it is being changed, or while its server is silent.
 */
const detailedSlots = (scope: Scope) => sql`coalesce((SELECT jsonb_agg(jsonb_build_object(
    'id', l.id, 'index', l.index, 'state', l.state, 'artifactDigest', l.reported_artifact_digest,
    'endpointName', e.name, 'revisionId', CASE WHEN e.id IS NULL THEN NULL ELSE r.id END,
    'free', ${isFreeSlot}, 'isWanted', l.desired_revision_id IS NOT NULL,
    'wanted', CASE WHEN e.id IS NULL THEN NULL ELSE jsonb_build_object(
      'artifactDigest', r.artifact_digest, 'revision', r.ordinal, 'engine', r.engine) END,
    'matches', CASE WHEN l.command_id IS NOT NULL OR l.state IN ('loading', 'testing', 'unreachable') THEN NULL
      ELSE l.reported_revision_id IS NOT DISTINCT FROM l.desired_revision_id
        AND (l.desired_revision_id IS NULL OR (l.state = 'serving' AND l.reported_artifact_digest = coalesce(w.artifact_digest, o.artifact_digest))) END,
    'pinned', r.board_id IS NOT NULL,
    'elsewhere', (SELECT count(*) FROM slot_assignment oa JOIN slot o ON o.id = oa.slot_id JOIN board ob ON ob.id = o.board_id
      WHERE oa.revision_id = r.id AND oa.released_at IS NULL AND o.board_id <> b.id AND o.state = 'serving'
        AND ob.drain IS DISTINCT FROM 'move'),
    'buildId', CASE WHEN e.id IS NULL THEN NULL ELSE r.build_id END, 'changedAt', l.updated_at,
    'problem', CASE WHEN l.problem ->> 'message' IS NULL THEN NULL ELSE l.problem END) ORDER BY l.index)
  FROM slot l
  LEFT JOIN revision w ON w.id = l.desired_revision_id
  LEFT JOIN lease_load o ON o.id = l.desired_revision_id
  LEFT JOIN slot_assignment a ON a.slot_id = l.id AND a.released_at IS NULL
  LEFT JOIN revision r ON r.id = a.revision_id
  LEFT JOIN endpoint e ON e.id = r.endpoint_id AND e.project_id = ${scope}::uuid
  WHERE l.board_id = b.id), '[]'::jsonb)`;

/**
 * One board, also one that is no longer here.
 *
 * @throws {AppError} `NOT_FOUND`
 */
export async function getBoard(scope: Scope, id: string): Promise<BoardDetail> {
  const uuid = parseId(idPrefixes.board, id);
  const [row] = uuid
    ? await database().$queryRaw<DetailRow[]>`
        SELECT b.id, b.name, b.board_model AS "boardModel", b.kind, b.loads, ${stateOfBoard} AS state,
          s.id AS "serverId", s.name AS "serverName", s.heartbeat_at AS "heartbeatAt", b.drain, b.drained_at AS "drainedAt",
          b.key, b.created_at AS "createdAt", b.removed_at AS "removedAt", ${isSilent} AS silent, s.version, s.address,
          s.public_key AS "publicKey", s.created_at AS "enrolledAt", s.simulated_capacity AS "simulatedCapacity",
          s.adopted, at.address AS "attachedAt", ${leaseOf(scope)} AS lease, ${detailedSlots(scope)} AS slots
        FROM board b JOIN board_server s ON s.id = b.board_server_id ${slotSummary}
        LEFT JOIN attached_board at ON at.board_server_id = s.id AND at.key = b.key
        WHERE b.id = ${uuid}::uuid`
    : [];
  if (!row) throw notFound("board", id);
  const [waiting, tasks] = await Promise.all([
    row.removedAt ? [] : listWaiting(scope, row),
    listTasks(scope, row.id),
  ]);
  return boardDetailSchema.parse({
    ...boardFields({
      ...row,
      slots: row.slots.map((slot) => ({ ...slot, problem: slot.problem?.message ?? null })),
    }),
    key: row.key,
    createdAt: row.createdAt.toISOString(),
    removedAt: row.removedAt?.toISOString() ?? null,
    reachedAt: row.attachedAt ?? serialPortOf(row),
    verifiedOnHardware: findBoardModel(row.boardModel)?.verifiedOnHardware ?? null,
    server: serverOf(row),
    slots: row.slots.map(slotOf),
    waiting,
    tasks,
    refusals: refusalsOf({
      ...row,
      isRemoved: row.removedAt !== null,
      isSilent: row.silent,
    }),
  });
}

function slotOf(slot: DetailSlotRow) {
  const { problem, isWanted: _, ...rest } = slot;
  return {
    ...rest,
    id: toId(idPrefixes.slot, slot.id),
    revisionId: slot.revisionId && toId(idPrefixes.revision, slot.revisionId),
    buildId: slot.buildId && toId(idPrefixes.build, slot.buildId),
    changedAt: new Date(slot.changedAt).toISOString(),
    problem: problem?.message ?? null,
    why: problem && { reason: problem.reason, message: problem.message, ...hintOf(problem) },
  };
}

/** What a board server says carries no hint: that of the reason stands in. */
function hintOf(problem: ErrorData): { hint?: string } {
  const hint = problem.hint ?? hints[problem.reason];
  return hint ? { hint } : {};
}

const hints: Readonly<Record<string, string>> = {
  DEVICE_BUSY: "Another program has the line: end it, or see who has it with `fuser` on the host.",
  DEVICE_MISMATCH: "Put the board back on its line, or give it up and adopt it again.",
  DEVICE_FAILED:
    "See that the user of the board server may open the device: add a udev rule for it, or the group dialout.",
  LINK_FAILED: "See that its cable is plugged in and that the board has power.",
  SELF_TEST_FAILED: "Build the model again; if the new artifact fails too, the board is at fault.",
  TOOL_MISSING: "Install the program that loads the board where its board server runs.",
};

function serverOf(row: DetailRow) {
  return {
    id: toId(idPrefixes.boardServer, row.serverId),
    name: row.serverName,
    heard: !row.silent,
    heartbeatAt: row.heartbeatAt?.toISOString() ?? null,
    version: row.version,
    address: addressWords(tensorAddressSchema.parse(row.address)),
    enrolledAt: row.enrolledAt.toISOString(),
    keyFingerprint: digestOf(Buffer.from(row.publicKey, "base64")),
    simulatedCapacity: row.simulatedCapacity,
  };
}

const addressWords = (address: TensorAddress): string =>
  address.kind === "unix" ? address.path : `${address.host}:${address.port}`;

function serialPortOf({ adopted, key, kind }: DetailRow): string | null {
  if (kind !== "physical") return null;
  const boards = adoptedBoardSchema.array().safeParse(adopted).data ?? [];
  return boards.find((board) => board.key === key)?.serialPort ?? null;
}

/** Endpoints of the project that lack a replica which this board could be. */
async function listWaiting(scope: Scope, board: DetailRow): Promise<BoardDetail["waiting"]> {
  return await database().$queryRaw<BoardDetail["waiting"]>`
    SELECT e.name AS endpoint, r.ordinal AS revision FROM endpoint e JOIN LATERAL (
      SELECT * FROM revision r WHERE r.endpoint_id = e.id AND r.artifact_digest IS NOT NULL
        AND r.state IN ('building', 'ready') ORDER BY r.turn DESC, r.ordinal DESC LIMIT 1) r ON true
    WHERE e.project_id = ${scope}::uuid AND e.deleted_at IS NULL AND e.delete_requested_at IS NULL
      AND r.board_kind = ${board.kind} AND r.board_model = ${board.boardModel}
      AND (r.board_id IS NULL OR r.board_id = ${board.id}::uuid)
      AND coalesce((r.request -> 'serving' ->> 'replicas')::int, 1) > (
        SELECT count(*) FROM slot_assignment a WHERE a.revision_id = r.id AND a.released_at IS NULL)
    ORDER BY e.created_at LIMIT 50`;
}
