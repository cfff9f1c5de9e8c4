import { markDamaged } from "@/domain/artifacts";
import { noteStates, storeTasks } from "@/domain/boards";
import { recordBoardEvents } from "@/domain/events";
import { storeCalls, storeLines } from "@/domain/lease-calls";
import type { PollRequest, SlotReport } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { parseId, type Tx, withTransaction } from "@/lib/server/db";
import { logger } from "@/lib/server/logger";
import { storeTrials } from "./attachments";
import { offerBoards } from "./boards";
import { storeSurroundings } from "./sightings";

interface SlotRow {
  readonly id: string;
  readonly boardId: string;
  readonly serverId: string;
  readonly epoch: number;
  readonly state: string;
  readonly desiredRevisionId: string | null;
  readonly artifactDigest: string | null;
  readonly commandId: string | null;
}

/** What a server says when it got other bytes than the manifest names, or none. */
const tellsDamage: ReadonlySet<string> = new Set([
  "ARTIFACT_MISMATCH",
  "ARTIFACT_MISSING",
  "OBJECT_DAMAGED",
]);

/** States in which a command is done, one way or the other. */
const settled = new Set(["serving", "empty", "unknown"]);

/**
 * Writes what a server says of itself and its slots: it is alive, where it is, what its boards hold. A report of an older
 * epoch changes nothing; one that names what was never commanded makes its slot unknown.
 *
 * @param version What the server calls itself.
 * @throws {AppError} `FORBIDDEN` for a slot of another server.
 */
export async function storeReport(
  serverId: string,
  report: PollRequest,
  version: string | null,
): Promise<void> {
  const { address, boards, simulatedCapacity, slots, surroundings, attached, tasks, calls, lines } =
    report;
  const reports = new Map(slots.map((slot) => [parseId("slt", slot.slotId) ?? slot.slotId, slot]));
  await withTransaction(async (tx) => {
    const text = JSON.stringify(address);
    await tx.$executeRaw`
      UPDATE board_server SET heartbeat_at = now(), simulated_capacity = ${simulatedCapacity},
        version = ${version}, address = CASE WHEN address = ${text}::jsonb THEN address ELSE ${text}::jsonb END
      WHERE id = ${serverId}::uuid`;
    if (surroundings) await storeSurroundings(tx, serverId, surroundings);
    if (attached) await storeTrials(tx, serverId, attached);
    const changed = new Set(await offerBoards(tx, serverId, boards));
    const rows = await readSlots(tx, serverId, [...reports.keys()]);
    if (rows.some((row) => row.serverId !== serverId)) {
      throw fail("FORBIDDEN", "A slot of this report belongs to another board server.");
    }
    for (const row of rows) {
      const slot = reports.get(row.id);
      const written = slot ? await storeSlot(tx, row, slot) : await storeAbsence(tx, row);
      if (written) changed.add(row.boardId);
    }
    if (tasks) for (const id of await storeTasks(tx, serverId, tasks)) changed.add(id);
    for (const id of await noteStates(tx, serverId)) changed.add(id);
    if (lines) await storeLines(tx, serverId, lines);
    if (calls) await storeCalls(tx, serverId, calls);
    await recordBoardEvents(tx, changed);
  });
}

/** Every slot of a server, and those it reports; locked in one order, so that reports never wait for each other in a circle. */
async function readSlots(tx: Tx, serverId: string, reported: string[]): Promise<SlotRow[]> {
  return await tx.$queryRaw<SlotRow[]>`
    SELECT s.id, s.board_id AS "boardId", b.board_server_id AS "serverId", s.epoch, s.state,
      s.desired_revision_id AS "desiredRevisionId", coalesce(v.artifact_digest, o.artifact_digest) AS "artifactDigest",
      s.command_id AS "commandId"
    FROM slot s JOIN board b ON b.id = s.board_id LEFT JOIN revision v ON v.id = s.desired_revision_id
    LEFT JOIN lease_load o ON o.id = s.desired_revision_id
    WHERE (b.board_server_id = ${serverId}::uuid AND b.removed_at IS NULL) OR s.id::text = ANY(${reported}::text[])
    ORDER BY s.id FOR UPDATE OF s`;
}

async function storeSlot(tx: Tx, row: SlotRow, report: SlotReport): Promise<boolean> {
  if (report.slotEpoch !== row.epoch) return false;
  const revisionId = report.revisionId === null ? null : parseId("rev", report.revisionId);
  const isWanted =
    report.revisionId === null ||
    (revisionId === row.desiredRevisionId && report.artifactDigest === row.artifactDigest);
  if (!isWanted) {
    logger().error({ slotId: report.slotId }, "a slot reports what was never commanded");
  }
  const state = isWanted ? report.state : "unknown";
  const done = report.commandId === row.commandId && settled.has(state);
  const problem = report.problem === null ? null : JSON.stringify(report.problem);
  const written = await tx.$executeRaw`
    UPDATE slot SET state = ${state}, reported_revision_id = ${revisionId}::uuid,
      reported_artifact_digest = ${report.artifactDigest}, reported_epoch = ${report.slotEpoch},
      problem = ${problem}::jsonb, command_id = CASE WHEN ${done} THEN NULL ELSE command_id END, updated_at = now()
    WHERE id = ${row.id}::uuid AND epoch = ${report.slotEpoch} AND
      (state, reported_revision_id, reported_artifact_digest, reported_epoch, problem, command_id) IS DISTINCT FROM
      (${state}, ${revisionId}::uuid, ${report.artifactDigest}, ${report.slotEpoch}, ${problem}::jsonb,
        CASE WHEN ${done} THEN NULL ELSE command_id END)`;
  if (
    written === 1 &&
    report.problem &&
    tellsDamage.has(report.problem.reason) &&
    row.artifactDigest
  )
    await markDamaged(row.artifactDigest, tx);
  return written === 1;
}

/** A slot that its server knows nothing of holds nothing: it is new there, or the server lost its memory. */
async function storeAbsence(tx: Tx, row: SlotRow): Promise<boolean> {
  const written = await tx.$executeRaw`
    UPDATE slot SET state = 'empty', reported_revision_id = NULL, reported_artifact_digest = NULL, updated_at = now()
    WHERE id = ${row.id}::uuid AND epoch = ${row.epoch} AND state <> 'empty'`;
  return written === 1;
}
