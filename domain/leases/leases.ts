import { type AppError, fail } from "@/lib/common/errors";
import { type Sql, sql } from "@/lib/server/db";

/**
 * What workers claim: rows of these tables have `lease_epoch`, `lease_owner` and `lease_until`, and this module alone says
 * what those mean. Every claim is a new epoch, and every write of its holder asks for it, so that whoever lost the lease
 * writes nothing more (R5). The states, and what else a claim or an end writes, are the table's own.
 */
export type Leased = "build" | "inspection";

/** The states in which a worker holds the row. */
const isHeld: Readonly<Record<Leased, Sql>> = {
  build: sql`state IN ('preparing', 'running')`,
  inspection: sql`state = 'running'`,
};

/** What a claim sets. */
export function claim(owner: string, leaseS: number): Sql {
  return sql`lease_epoch = lease_epoch + 1, lease_owner = ${owner}, ${renewal(leaseS)}`;
}

/** What a renewal sets, where `heldBy` still holds. */
export function renewal(leaseS: number): Sql {
  return sql`lease_until = now() + make_interval(secs => ${leaseS}::float8)`;
}

/** The condition of every write of a holder. */
export function heldBy(table: Leased, epoch: number): Sql {
  return sql`lease_epoch = ${epoch} AND ${isHeld[table]}`;
}

/** A worker holds the row and was heard of in time. */
export function isAlive(table: Leased): Sql {
  return sql`${isHeld[table]} AND lease_until > now()`;
}

/** A worker holds the row and fell silent. */
export function isSilent(table: Leased): Sql {
  return sql`${isHeld[table]} AND lease_until < now()`;
}

/** `LEASE_LOST`, for whoever writes with an epoch that is over. */
export function leaseLost(table: Leased): AppError {
  return fail("LEASE_LOST", `Another worker has this ${table}, or it has ended.`);
}
