import { database } from "@/lib/server/db";

/** Somebody who signed in so long ago at most is taken for the one who sits there. */
export const freshMinutes = 10;

/** Whether somebody signed in a moment ago, by the database's clock. @param sessionId UUID. */
export async function isFresh(sessionId: string): Promise<boolean> {
  const [row] = await database().$queryRaw<{ isFresh: boolean }[]>`
    SELECT created_at > now() - make_interval(mins => ${freshMinutes}) AS "isFresh"
    FROM session WHERE id = ${sessionId}::uuid`;
  return row?.isFresh ?? false;
}
