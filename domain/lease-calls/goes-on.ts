import { sql } from "@/lib/server/db";

/** That a lease `x` goes on, by the database's clock. */
export const goesOn = sql`(x.released_at IS NULL AND x.starts_at <= now() AND x.expires_at > now())`;
