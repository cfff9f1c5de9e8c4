import { database } from "@/lib/server/db";

/** No request takes longer: whoever was about to do something so long ago has died over it. */
const patienceS = 3600;

/**
 * Makes entries of what somebody was about to do when the portal died, or the database: whether it was done is unknown.
 *
 * @returns How many.
 */
export async function settleIntents(): Promise<number> {
  return await database().$executeRaw`
    WITH begun AS (
      DELETE FROM audit_intent WHERE at < now() - make_interval(secs => ${patienceS}) RETURNING *)
    INSERT INTO audit_entry (id, at, actor_kind, actor_id, actor_name, project_id, project_name, action,
      target_noun, target_id, target_name, result, request_id, address)
    SELECT id, at, actor_kind, actor_id, actor_name, project_id, project_name, action,
      target_noun, target_id, target_name, 'unknown', request_id, address FROM begun`;
}
