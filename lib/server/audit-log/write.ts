import type { AuditResult } from "@/lib/common/contract";
import type { Reason } from "@/lib/common/errors";
import { database, type Sql, sql, uuidv7 } from "@/lib/server/db";
import type { AuditDeed, AuditTarget, Claim } from "./types";

/** How something ended. */
export interface Ending {
  readonly result: AuditResult;
  readonly reason: Reason | null;
}

/** What entries and intents have in common, in order. */
const columns = sql`id, actor_kind, actor_id, actor_name, project_id, project_name, action,
  target_noun, target_id, target_name, request_id, address`;

/**
 * Writes down what somebody is about to do.
 *
 * @returns UUID of the intent.
 * @throws when the database is away: then nothing may be done.
 */
export async function writeIntent(deed: AuditDeed): Promise<string> {
  const id = uuidv7();
  await database().$executeRaw`INSERT INTO audit_intent (${columns}) SELECT ${valuesOf(id, deed)}
    FROM (SELECT) one LEFT JOIN LATERAL (${claimed(deed.claim)}) claimed ON true`;
  return id;
}

/** Makes an entry of an intent. Somebody who came in by what was done, such as a password, did it. */
export async function endIntent(
  id: string,
  { result, reason }: Ending,
  { target, claim }: { readonly target: AuditTarget; readonly claim: Claim | null },
): Promise<void> {
  await database().$executeRaw`
    WITH begun AS (DELETE FROM audit_intent WHERE id = ${id}::uuid RETURNING *)
    INSERT INTO audit_entry (at, result, reason, ${columns})
    SELECT begun.at, ${result}, ${reason}, begun.id,
      CASE WHEN coalesce(claimed.id::text, by_link) IS NULL THEN actor_kind ELSE 'person' END,
      coalesce(claimed.id, substr(by_link, 5)::uuid, actor_id),
      coalesce(claimed.name, CASE WHEN by_link IS NULL THEN actor_name ELSE target_name END),
      begun.project_id, project_name, action, coalesce(target_noun, CASE WHEN claimed.id IS NOT NULL THEN 'member' END),
      coalesce(target_id, ${target.id}, 'usr_' || claimed.id), coalesce(target_name, ${target.name}, claimed.name), request_id, address
    FROM begun LEFT JOIN LATERAL (${claim?.email === undefined ? nobodyClaimed : claimed(claim)}) claimed ON true,
      LATERAL (SELECT CASE WHEN ${claim?.resetDigest !== undefined} THEN target_id END AS by_link) link`;
}

/** Forgets an intent of which nothing came: the request was refused before it did anything. */
export async function dropIntent(id: string): Promise<void> {
  await database().$executeRaw`DELETE FROM audit_intent WHERE id = ${id}::uuid`;
}

/** Writes an entry of what needed no intent: nothing was done. */
export async function writeEntry(
  deed: AuditDeed,
  { result, reason, times }: Ending & { readonly times: number },
): Promise<void> {
  await database().$executeRaw`
    INSERT INTO audit_entry (${columns}, result, reason, times)
    SELECT ${valuesOf(uuidv7(), deed)}, ${result}, ${reason}, ${times}::int
    FROM (SELECT) one LEFT JOIN LATERAL (${claimed(deed.claim)}) claimed ON true`;
}

const nobodyClaimed = sql`SELECT NULL::uuid AS id, NULL::text AS name, NULL::uuid AS project_id`;

/** The person or the token that a claim names, if there is one. */
function claimed(claim: Claim | null): Sql {
  if (claim?.email !== undefined)
    return sql`SELECT id, name, NULL::uuid AS project_id FROM "user" WHERE email = ${claim.email}`;
  if (claim?.resetDigest !== undefined)
    return sql`SELECT u.id, u.name, NULL::uuid AS project_id FROM password_reset r
      JOIN "user" u ON u.id = r.user_id WHERE r.digest = ${claim.resetDigest}`;
  if (claim?.tokenDigest !== undefined)
    return sql`SELECT id, name, project_id FROM token WHERE digest = ${claim.tokenDigest} AND kind = 'api'`;
  return nobodyClaimed;
}

/** Values of `columns`. Names are looked up here, so that they are those of the time. */
function valuesOf(id: string, deed: AuditDeed): Sql {
  const { actor, action, target, claim, requestId, address } = deed;
  const isToken = claim?.tokenDigest !== undefined;
  const project = sql`coalesce(${deed.projectId}::uuid, claimed.project_id)`;
  const actorId = isToken ? sql`claimed.id` : sql`${actor.id}::uuid`;
  const kind = isToken
    ? sql`CASE WHEN claimed.id IS NULL THEN 'nobody' ELSE 'token' END`
    : sql`${actor.kind}`;
  const isPerson = claim !== null && !isToken;
  return sql`${id}::uuid, ${kind}, ${actorId},
    coalesce((SELECT name FROM "user" WHERE id = ${actorId}), (SELECT name FROM token WHERE id = ${actorId})),
    ${project}, (SELECT name FROM project WHERE id = ${project}), ${action},
    ${isPerson ? sql`CASE WHEN claimed.id IS NOT NULL THEN 'member' END` : sql`${target.noun}`},
    ${isPerson ? sql`'usr_' || claimed.id` : sql`${target.id}`},
    ${isPerson ? sql`claimed.name` : sql`coalesce(${target.name}, ${nameOf(target, project)})`},
    ${requestId}::uuid, ${address}`;
}

/** How something of the project is called; of what is another's, nothing is said. */
function nameOf({ noun, id }: AuditTarget, project: Sql): Sql {
  const uuid = sql`${id?.slice(4)}::uuid`;
  if (id === null || !/^[a-z]{3}_/.test(id)) return emptyName;
  switch (noun) {
    case "member":
      return sql`(SELECT u.name FROM "user" u JOIN membership m ON m.user_id = u.id AND m.project_id = ${project} WHERE u.id = ${uuid})`;
    case "token":
      return sql`(SELECT name FROM token WHERE id = ${uuid} AND project_id = ${project})`;
    case "invitation":
      return sql`(SELECT note FROM invitation WHERE id = ${uuid} AND project_id = ${project})`;
    case "recipe":
      return sql`(SELECT name FROM recipe WHERE id = ${uuid} AND project_id = ${project})`;
    case "model":
      return sql`(SELECT name FROM model WHERE id = ${uuid} AND project_id = ${project})`;
    case "lease":
      return sql`(SELECT b.name FROM lease x JOIN board b ON b.id = x.board_id WHERE x.id = ${uuid} AND x.project_id = ${project})`;
    case "lease_wait":
      return sql`(SELECT b.name FROM lease_wait w JOIN board b ON b.id = w.board_id WHERE w.id = ${uuid} AND w.project_id = ${project})`;
    case "board":
      return sql`(SELECT name FROM board WHERE id = ${uuid})`;
    default:
      return emptyName;
  }
}

const emptyName = sql`NULL::text`;
