import { type EndpointAccess, isPrivateToOther, type Scope } from "@/lib/common/contract";
import { fail, notFound } from "@/lib/common/errors";
import { database } from "@/lib/server/db";

/** Who wants to ask an endpoint. */
interface Asker {
  readonly project: Scope;
  /** UUIDs of the endpoints that its token is good for; null: every one of its project. */
  readonly endpointIds: readonly string[] | null;
  /** UUID of the person in whose name they ask; null without accounts. */
  readonly personId: string | null;
}

/**
 * Finds out that somebody may ask an endpoint.
 *
 * @throws {AppError} `ENDPOINT_UNKNOWN`, whether it is not there or not theirs; `FORBIDDEN` while it is private to somebody else of
 *   their project, who see it there.
 */
export async function requireAskable(
  { project, endpointIds, personId }: Asker,
  name: string,
): Promise<void> {
  const [row] = await database().$queryRaw<
    { id: string; access: EndpointAccess; ownerId: string | null }[]
  >`
    SELECT id, access, owner_id AS "ownerId" FROM endpoint WHERE name = ${name} AND project_id = ${project}::uuid AND deleted_at IS NULL`;
  if (!row || (endpointIds !== null && !endpointIds.includes(row.id)))
    throw notFound("endpoint", name);
  if (isPrivateToOther(row, personId))
    throw fail("FORBIDDEN", `The endpoint “${name}” is private: its owner alone may ask it.`, {
      hint: "Its owner can open it to the project, on its page under Settings.",
    });
}
