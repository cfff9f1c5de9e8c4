import { requireFitting } from "@/domain/boards";
import { commandSlot } from "@/domain/endpoints";
import type { Lease } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { uuidv7, withTransaction } from "@/lib/server/db";
import { lockLease } from "./commands";
import { type Asker, acceptLease, isFree, tell } from "./locked-board";
import { readLease } from "./queries";

/**
 * Loads an artifact of the project on a leased board, in place of what its holder had loaded before. It is checked, tested and
 * reported as for an endpoint.
 *
 * @throws {AppError} As `lockLease`; `ARTIFACT_UNKNOWN` for one that is not the project's, `DEVICE_MISMATCH` for one that this
 *   board cannot load; `BOARD_OFFLINE`; `STATE_CONFLICT` before a booking begins, and while the board is still being emptied.
 */
export async function loadOnLease(
  asker: Asker,
  id: string,
  artifactDigest: string,
): Promise<Lease> {
  const leaseId = await withTransaction(async (tx) => {
    const { id: uuid, isActive, board } = await lockLease(tx, asker, id, "holder");
    if (!isActive) throw notBegun(board.name);
    if (board.isSilent)
      throw fail(
        "BOARD_OFFLINE",
        `The board server of ${board.name} has not been heard for a while.`,
        { hint: "See on its host whether it runs and reaches the portal." },
      );
    await requireFitting(tx, asker.scope, board.id, artifactDigest);
    const [slot] = board.slots;
    const isOwn =
      slot?.wantedId != null &&
      (await tx.leaseLoad.count({ where: { id: slot.wantedId, leaseId: uuid } })) > 0;
    if (!slot || !(isOwn || isFree(slot)))
      throw fail("STATE_CONFLICT", `${board.name} is still being emptied.`, {
        hint: "Try again in a moment.",
      });
    const load = await tx.leaseLoad.create({
      data: { id: uuidv7(), leaseId: uuid, artifactDigest },
    });
    await commandSlot(tx, slot.id, slot.epoch, load.id);
    await acceptLease(tx, uuid);
    await tell(tx, board);
    return uuid;
  });
  return await readLease(asker, leaseId);
}

/** Unloads what the holder had loaded; again is no error. @throws {AppError} As `lockLease`; `STATE_CONFLICT` */
export async function unloadOnLease(asker: Asker, id: string): Promise<Lease> {
  const leaseId = await withTransaction(async (tx) => {
    const { id: uuid, isActive, board } = await lockLease(tx, asker, id, "holder");
    if (!isActive) throw notBegun(board.name);
    for (const { id: slotId, epoch, wantedId } of board.slots)
      if (wantedId !== null) await commandSlot(tx, slotId, epoch, null);
    await tell(tx, board);
    return uuid;
  });
  return await readLease(asker, leaseId);
}

const notBegun = (name: string) =>
  fail("STATE_CONFLICT", `The booking of ${name} has not begun.`, {
    hint: "Come back when it has.",
  });
