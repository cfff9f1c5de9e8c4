import { database } from "@/lib/server/db";
import { isAlive } from "./leases";

/**
 * Ends the leases of workers that are known to be over: nobody needs to wait for them to run out.
 *
 * @param isOver Whether the process of a name is over for certain; false where nobody can tell from here.
 * @returns How many workers held something.
 */
export async function endLeasesOfDeadWorkers(isOver: (owner: string) => boolean): Promise<number> {
  const owners = await database().$queryRaw<{ owner: string }[]>`
    SELECT lease_owner AS owner FROM build WHERE ${isAlive("build")} AND lease_owner IS NOT NULL
    UNION SELECT lease_owner FROM inspection WHERE ${isAlive("inspection")} AND lease_owner IS NOT NULL
    LIMIT 1000`;
  const dead = owners.map(({ owner }) => owner).filter(isOver);
  for (const owner of dead) {
    await database().$executeRaw`
      UPDATE build SET lease_until = now() WHERE lease_owner = ${owner} AND ${isAlive("build")}`;
    await database().$executeRaw`
      UPDATE inspection SET lease_until = now() WHERE lease_owner = ${owner} AND ${isAlive("inspection")}`;
  }
  return dead.length;
}
