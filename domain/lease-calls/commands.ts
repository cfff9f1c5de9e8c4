import { type CallReport, idPrefixes, keptLine, type LineReport } from "@/lib/common/contract";
import { parseId, type Tx } from "@/lib/server/db";
import { goesOn } from "./goes-on";

/** Writes down how calls ended. */
export async function storeCalls(
  tx: Tx,
  serverId: string,
  reports: readonly CallReport[],
): Promise<void> {
  for (const { id, state, response, timing = {}, problem } of reports) {
    const uuid = parseId(idPrefixes.leaseCall, id);
    if (!uuid || state === "running") continue;
    const text =
      response === undefined ? null : `{"answer":${response},"timing":${JSON.stringify(timing)}}`;
    await tx.$executeRaw`
      UPDATE lease_call c SET state = ${state}, response = ${text},
        problem = ${problemText(problem)}::jsonb, ended_at = now()
      FROM slot l JOIN board b ON b.id = l.board_id
      WHERE c.id = ${uuid}::uuid AND c.ended_at IS NULL AND l.id = c.slot_id AND b.board_server_id = ${serverId}::uuid`;
  }
}

/** A message may quote what somebody sent, and the database takes neither zeros nor halves of characters. */
function problemText(problem: CallReport["problem"]): string | null {
  if (problem === null) return null;
  const short = problem.message.replaceAll("\0", "\ufffd").slice(0, 2000);
  return JSON.stringify({ reason: problem.reason, message: Buffer.from(short).toString() });
}

/**
 * Adds to the windows of leased boards what passed on their lines. What passed while something else was loaded, or for somebody
 * who has the board no more, is dropped: nobody else ever sees it.
 */
export async function storeLines(
  tx: Tx,
  serverId: string,
  reports: readonly LineReport[],
): Promise<void> {
  for (const { slotId, slotEpoch, tap, chunks } of reports) {
    const uuid = parseId(idPrefixes.slot, slotId);
    if (!uuid) continue;
    const written = await tx.$queryRaw<{ leaseId: string }[]>`
      INSERT INTO lease_chunk (lease_id, tap, number, to_board, bytes, at)
      SELECT x.id, ${tap}, c.number, c."toBoard", decode(c.bytes, 'base64'),
        now() - make_interval(secs => least(c."agoMs", 600000) / 1000.0)
      FROM jsonb_to_recordset(${JSON.stringify(chunks)}::jsonb) AS c(number int, "toBoard" boolean, "agoMs" bigint, bytes text),
        slot l JOIN board b ON b.id = l.board_id
        JOIN lease_load o ON o.id = l.desired_revision_id JOIN lease x ON x.id = o.lease_id
      WHERE l.id = ${uuid}::uuid AND l.epoch = ${slotEpoch} AND b.board_server_id = ${serverId}::uuid AND ${goesOn}
      ORDER BY c.number ON CONFLICT DO NOTHING RETURNING lease_id AS "leaseId"`;
    const [first] = written;
    if (first) await keepWindow(tx, first.leaseId);
  }
}

async function keepWindow(tx: Tx, leaseId: string): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM lease_chunk WHERE lease_id = ${leaseId}::uuid AND seq <= (
      SELECT max(seq) FROM (
        SELECT seq, sum(octet_length(bytes)) OVER (ORDER BY seq DESC) AS total, row_number() OVER (ORDER BY seq DESC) AS place
        FROM lease_chunk WHERE lease_id = ${leaseId}::uuid) w
      WHERE total > ${keptLine.bytes} OR place > ${keptLine.chunks})`;
}
