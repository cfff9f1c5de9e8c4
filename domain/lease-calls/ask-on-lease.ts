import { type Asker, getHeldLease } from "@/domain/board-leases";
import { database } from "@/lib/server/db";
import { callBoard } from "./call";

const patienceMs = 30_000;

/**
 * Asks what the holder of a lease has loaded.
 *
 * @param request The JSON of a V2 request.
 * @returns JSON: `answer`, which is a V2 answer, and `timing`.
 * @throws {AppError} As `getHeldLease` and `callBoard`; `INFER_INVALID` for rows that do not fit.
 */
export async function askOnLease(
  asker: Asker,
  id: string,
  request: string,
  signal: AbortSignal,
): Promise<string> {
  const held = await getHeldLease(database(), asker, id);
  return (await callBoard(held, { kind: "infer", request, patienceMs, signal })) ?? "{}";
}
