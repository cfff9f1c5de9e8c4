import { type Asker, getHeldLease, type HeldLease } from "@/domain/board-leases";
import type { LeaseConsole, LeaseConsoleBytes } from "@/lib/common/contract";
import { database } from "@/lib/server/db";
import { callBoard } from "./call";

const patienceMs = 10_000;

/**
 * Puts bytes on the line of a leased board, and answers what passed there since. The first call opens the line: from then on
 * everything that passes is in the window, whoever of its holder's pages sent it. None means that it is only opened.
 *
 * @throws {AppError} As `getHeldLease` and `callBoard`; `BOARD_CANNOT` where the board has no such line.
 */
export async function speakOnLease(
  asker: Asker,
  id: string,
  { bytes, after = 0 }: LeaseConsoleBytes,
  signal: AbortSignal,
): Promise<LeaseConsole> {
  const held = await getHeldLease(database(), asker, id);
  await callBoard(held, { kind: "line", request: bytes, patienceMs, signal });
  return await readWindow(held, after);
}

/** What passed on the line of a leased board after a chunk. @throws {AppError} As `getHeldLease`. */
export async function readConsole(asker: Asker, id: string, after = 0): Promise<LeaseConsole> {
  return await readWindow(await getHeldLease(database(), asker, id), after);
}

async function readWindow({ id, slot }: HeldLease, after: number): Promise<LeaseConsole> {
  const rows = await database().$queryRaw<
    { seq: bigint; toBoard: boolean; at: Date; bytes: Uint8Array; isAfterGap: boolean }[]
  >`
    SELECT c.seq, c.to_board AS "toBoard", c.at, c.bytes, c.number > 1 AND NOT EXISTS (
      SELECT 1 FROM lease_chunk b WHERE b.lease_id = c.lease_id AND b.tap = c.tap AND b.number = c.number - 1) AS "isAfterGap"
    FROM lease_chunk c WHERE c.lease_id = ${id}::uuid AND c.seq > ${after} ORDER BY c.seq`;
  return {
    items: rows.map(({ seq, toBoard, at, bytes, isAfterGap }) => ({
      seq: Number(seq),
      toBoard,
      at: at.toISOString(),
      bytes: Buffer.from(bytes).toString("base64"),
      isAfterGap,
    })),
    newest: Math.max(after, ...rows.map(({ seq }) => Number(seq))),
    load: slot?.epoch ?? null,
  };
}
