import { type ChangeEvent, changeEventSchema, type Scope } from "@/lib/common/contract";
import { database } from "@/lib/server/db";

/** Changes that a project may see, after a sequence number, oldest first. */
export async function listEvents(
  scope: Scope,
  after: number,
  limit = 200,
): Promise<readonly ChangeEvent[]> {
  const rows = await database().event.findMany({
    where: { seq: { gt: after }, OR: [{ projectId: scope }, { projectId: null }] },
    orderBy: { seq: "asc" },
    take: limit,
  });
  return rows.map(({ seq, noun, targetId }) =>
    changeEventSchema.parse({ seq: Number(seq), noun, id: targetId }),
  );
}

/** The number of the newest event: where a reader begins that wants only what comes. */
export async function newestEventSeq(): Promise<number> {
  const newest = await database().event.aggregate({ _max: { seq: true } });
  return Number(newest._max.seq ?? 0);
}
