import type { Scope } from "@/lib/common/contract";
import { notFound } from "@/lib/common/errors";
import { database } from "@/lib/server/db";

/** Who wants to ask an endpoint. */
interface Asker {
  readonly project: Scope;
  /** UUIDs of the endpoints that its token is good for; null: every one of its project. */
  readonly endpointIds: readonly string[] | null;
}

/** Finds out that somebody may ask an endpoint. @throws {AppError} `ENDPOINT_UNKNOWN`, whether it is not there or not theirs. */
export async function requireAskable({ project, endpointIds }: Asker, name: string): Promise<void> {
  const [row] = await database().$queryRaw<{ id: string }[]>`
    SELECT id FROM endpoint WHERE name = ${name} AND project_id = ${project}::uuid AND deleted_at IS NULL`;
  if (!row || (endpointIds !== null && !endpointIds.includes(row.id)))
    throw notFound("endpoint", name);
}
