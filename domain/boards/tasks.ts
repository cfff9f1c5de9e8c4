import { recordBoardEvents } from "@/domain/events";
import {
  type BoardTask,
  type BoardTaskKind,
  idPrefixes,
  type Scope,
  type TaskCommand,
  type TaskReport,
} from "@/lib/common/contract";
import { database, parseId, type Tx, toId, uuidv7, withTransaction } from "@/lib/server/db";

/** A task that no board server has done by then is over. */
const patienceS = 60;
/** How many a page shows. */
const shown = 10;

/** Asks for a task on each slot of a board that serves, unless it is asked for already. Answers how many slots there are. */
export async function addTasks(tx: Tx, boardId: string, kind: BoardTaskKind): Promise<number> {
  const slots = await tx.$queryRaw<{ id: string; epoch: number; isAsked: boolean }[]>`
    SELECT l.id, l.epoch, EXISTS (
      SELECT 1 FROM board_task t WHERE t.slot_id = l.id AND t.kind = ${kind} AND t.ended_at IS NULL) AS "isAsked"
    FROM slot l WHERE l.board_id = ${boardId}::uuid AND l.state = 'serving' ORDER BY l.index`;
  // A board blinks once, whatever it holds.
  const asked = kind === "blink" ? slots.slice(0, 1) : slots;
  for (const { id, epoch, isAsked } of asked) {
    if (isAsked) continue;
    await tx.boardTask.create({
      data: { id: uuidv7(), boardId, slotId: id, slotEpoch: epoch, kind },
    });
  }
  return asked.length;
}

/** What a server's slots are asked beside loads, and have not begun. */
export async function listTaskCommands(
  serverId: string,
  begun: ReadonlySet<string>,
): Promise<readonly TaskCommand[]> {
  const rows = await database().$queryRaw<
    { id: string; slotId: string; slotEpoch: number; kind: BoardTaskKind }[]
  >`
    SELECT t.id, t.slot_id AS "slotId", t.slot_epoch AS "slotEpoch", t.kind
    FROM board_task t JOIN board b ON b.id = t.board_id
    WHERE b.board_server_id = ${serverId}::uuid AND t.ended_at IS NULL
    ORDER BY t.created_at LIMIT 100`;
  return rows
    .filter(({ id }) => !begun.has(id))
    .map(({ slotId, ...task }) => ({ ...task, slotId: toId(idPrefixes.slot, slotId) }));
}

interface Ended {
  boardId: string;
  slotIndex: number;
  kind: BoardTaskKind;
  endpoint: string | null;
  projectId: string | null;
  revision: number | null;
}

/** Writes what a server says of its tasks; an end goes into the board's history. Answers the boards that changed. */
export async function storeTasks(
  tx: Tx,
  serverId: string,
  reports: readonly TaskReport[],
): Promise<ReadonlySet<string>> {
  const changed = new Set<string>();
  for (const { id, state, ...result } of reports) {
    const uuid = parseUuid(id);
    if (!uuid) continue;
    const isOver = state !== "running";
    const text = JSON.stringify(result);
    const rows = await tx.$queryRaw<Ended[]>`
      UPDATE board_task t SET state = ${state}, result = ${text}::jsonb, ended_at = CASE WHEN ${isOver} THEN now() END
      FROM board b, slot l
      LEFT JOIN revision r ON r.id = l.desired_revision_id LEFT JOIN endpoint e ON e.id = r.endpoint_id
      WHERE t.id = ${uuid}::uuid AND t.ended_at IS NULL AND t.state IS DISTINCT FROM ${state}
        AND b.id = t.board_id AND b.board_server_id = ${serverId}::uuid AND l.id = t.slot_id
      RETURNING t.board_id AS "boardId", l.index AS "slotIndex", t.kind, e.name AS endpoint,
        e.project_id AS "projectId", r.ordinal AS revision`;
    for (const row of rows) {
      changed.add(row.boardId);
      if (isOver) await noteEnd(tx, row, result);
    }
  }
  return changed;
}

const parseUuid = (id: string): string | null =>
  parseId(idPrefixes.boardTask, toId(idPrefixes.boardTask, id));

async function noteEnd(
  tx: Tx,
  { boardId, slotIndex, kind, endpoint, projectId, revision }: Ended,
  { problem, rows, durationMs }: Omit<TaskReport, "id" | "state">,
): Promise<void> {
  const of = kind === "self-test" && endpoint ? { endpoint, projectId, revision } : {};
  await tx.boardHistory.create({
    data: {
      boardId,
      slotIndex,
      kind: kind === "self-test" ? "tested" : "blinked",
      detail: {
        ...of,
        ...(problem ? { problem } : {}),
        ...(durationMs === undefined ? {} : { durationMs }),
        ...(kind === "self-test" && rows !== undefined ? { rows } : {}),
      },
    },
  });
}

/** Ends tasks that no board server did in time. Answers how many. */
export async function expireTasks(): Promise<number> {
  const problem = JSON.stringify({
    problem: {
      reason: "DEADLINE_EXCEEDED",
      message: `Its board server did not do it within ${patienceS} s.`,
    },
  });
  return await withTransaction(async (tx) => {
    const rows = await tx.$queryRaw<{ boardId: string }[]>`
      UPDATE board_task SET state = 'failed', result = ${problem}::jsonb, ended_at = now()
      WHERE ended_at IS NULL AND created_at < now() - make_interval(secs => ${patienceS})
      RETURNING board_id AS "boardId"`;
    await recordBoardEvents(tx, new Set(rows.map(({ boardId }) => boardId)));
    return rows.length;
  });
}

interface TaskRow {
  id: string;
  kind: BoardTaskKind;
  state: BoardTask["state"];
  place: number;
  endpoint: string | null;
  result: Partial<Pick<TaskReport, "rows" | "durationMs" | "problem">> | null;
  createdAt: Date;
  endedAt: Date | null;
}

/** What was asked of a board lately, newest first. */
export async function listTasks(scope: Scope, boardId: string): Promise<BoardTask[]> {
  const rows = await database().$queryRaw<TaskRow[]>`
    SELECT t.id, t.kind, t.state, l.index AS place, e.name AS endpoint, t.result, t.created_at AS "createdAt",
      t.ended_at AS "endedAt"
    FROM board_task t JOIN slot l ON l.id = t.slot_id
    LEFT JOIN revision r ON r.id = l.desired_revision_id
    LEFT JOIN endpoint e ON e.id = r.endpoint_id AND e.project_id = ${scope}::uuid
    WHERE t.board_id = ${boardId}::uuid ORDER BY t.created_at DESC, t.id DESC LIMIT ${shown}`;
  return rows.map(({ result, createdAt, endedAt, ...row }) => ({
    ...row,
    id: toId(idPrefixes.boardTask, row.id),
    rows: result?.rows ?? null,
    durationMs: result?.durationMs ?? null,
    problem: result?.problem ?? null,
    createdAt: createdAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
  }));
}
