import { fail } from "@/lib/common/errors";
import { database, sql, withTransaction } from "@/lib/server/db";
import type { TrafficBatch } from "./types";

/** Requests that are kept of an endpoint, and how many of the newest with their bodies. */
export const keptRequests = { all: 200, withBody: 50 } as const;

/**
 * Writes what a gateway counted. Writing the same again, or a minute again with more in it, counts nothing twice.
 *
 * @returns The database's time, Unix milliseconds.
 * @throws {AppError} `STORE_UNAVAILABLE`
 */
export async function writeTraffic({ writer, minutes, requests }: TrafficBatch): Promise<number> {
  if (minutes.length > 0) {
    await database().$executeRaw`
      INSERT INTO traffic_minute (endpoint_id, at, revision, writer, requests, client_errors, server_errors, rows,
        total_us, queue_us, link_us, host_us, compute_us, latency)
      SELECT "endpointId", at, revision, ${writer}::uuid, requests, "clientErrors", "serverErrors", rows,
        "totalUs", "queueUs", "linkUs", "hostUs", "computeUs", latency
      FROM jsonb_to_recordset(${JSON.stringify(minutes)}::jsonb) AS m("endpointId" uuid, at timestamptz, revision int,
        requests bigint, "clientErrors" bigint, "serverErrors" bigint, rows bigint, "totalUs" bigint, "queueUs" bigint,
        "linkUs" bigint, "hostUs" bigint, "computeUs" bigint, latency jsonb)
      ON CONFLICT (endpoint_id, at, revision, writer) DO UPDATE SET requests = EXCLUDED.requests,
        client_errors = EXCLUDED.client_errors, server_errors = EXCLUDED.server_errors, rows = EXCLUDED.rows,
        total_us = EXCLUDED.total_us, queue_us = EXCLUDED.queue_us, link_us = EXCLUDED.link_us,
        host_us = EXCLUDED.host_us, compute_us = EXCLUDED.compute_us, latency = EXCLUDED.latency`;
  }
  if (requests.length > 0) await writeRequests(requests);
  const [row] = await database().$queryRaw<{ ms: number }[]>`
    SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`;
  if (!row) throw fail("INTERNAL", "The database does not tell the time.");
  return row.ms;
}

/** Of endpoints that are there, and bodies where they are wanted still; what was newest before goes. */
async function writeRequests(requests: TrafficBatch["requests"]): Promise<void> {
  const ids = [...new Set(requests.map(({ endpointId }) => endpointId))];
  await withTransaction(async (tx) => {
    await tx.$executeRaw`
      INSERT INTO request_record (id, endpoint_id, at, protocol, status, reason, message, revision, slot_id, latency_us,
        rows, request_id, body)
      SELECT r.id, e.id, r.at, r.protocol, r.status, r.reason, r.message, r.revision, r."slotId", r."latencyUs",
        r.rows, r."requestId", CASE WHEN e.keep_payloads THEN r.body END
      FROM jsonb_to_recordset(${JSON.stringify(requests)}::jsonb) AS r(id uuid, "endpointId" uuid, at timestamptz,
        protocol text, status int, reason text, message text, revision int, "slotId" uuid, "latencyUs" int, rows int,
        "requestId" text, body text)
      JOIN endpoint e ON e.id = r."endpointId" AND e.delete_requested_at IS NULL
      ORDER BY r.id FOR SHARE OF e
      ON CONFLICT (id) DO NOTHING`;
    const ranked = sql`
      SELECT id, row_number() OVER (PARTITION BY endpoint_id ORDER BY at DESC, id DESC) AS place
      FROM request_record WHERE endpoint_id = ANY(${ids}::uuid[])`;
    await tx.$executeRaw`
      DELETE FROM request_record r USING (${ranked}) AS o WHERE r.id = o.id AND o.place > ${keptRequests.all}`;
    await tx.$executeRaw`
      UPDATE request_record r SET body = NULL FROM (${ranked}) AS o
      WHERE r.id = o.id AND r.body IS NOT NULL AND o.place > ${keptRequests.withBody}`;
  });
}
