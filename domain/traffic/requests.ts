import {
  idPrefixes,
  isPrivateToOther,
  type KeptRequest,
  type RequestProtocol,
  type RequestRecord,
  type Scope,
} from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { database, emptySql, parseId, type Sql, sql, toId } from "@/lib/server/db";
import { keptRequests } from "./commands";
import { findTrafficked } from "./queries";

/** How a request ended: answered, or whose fault it was that it was not. */
export type RequestOutcome = "ok" | "client" | "server";

const withOutcome: Readonly<Record<RequestOutcome, Sql>> = {
  ok: sql`AND r.status < 400`,
  client: sql`AND r.status BETWEEN 400 AND 499`,
  server: sql`AND r.status >= 500`,
};

interface RequestRow extends Omit<RequestRecord, "at" | "latencyMs"> {
  readonly at: Date;
  readonly latencyUs: number;
}

/** Who reads requests: their project, and the UUID of the person, null without accounts. */
interface Reader {
  readonly scope: Scope;
  readonly personId: string | null;
}

/** The last requests of an endpoint, newest first. What a private one was asked is for its owner. @throws {AppError} `ENDPOINT_UNKNOWN` */
export async function listRequests(
  { scope, personId }: Reader,
  name: string,
  outcome?: RequestOutcome | undefined,
): Promise<{ items: RequestRecord[]; nextCursor: null; keepsPayloads: boolean }> {
  const { id, keepsPayloads, ...endpoint } = await findTrafficked(scope, name);
  const showsBodies = !isPrivateToOther(endpoint, personId);
  const rows = await database().$queryRaw<RequestRow[]>`
    SELECT r.id, r.at, r.protocol, r.status, r.reason, r.message, r.revision, b.id AS "boardId", b.name AS board,
      r.latency_us AS "latencyUs", r.rows, r.request_id AS "requestId", r.body IS NOT NULL AND ${showsBodies} AS "hasBody"
    FROM request_record r LEFT JOIN slot s ON s.id = r.slot_id LEFT JOIN board b ON b.id = s.board_id
    WHERE r.endpoint_id = ${id}::uuid ${outcome === undefined ? emptySql : withOutcome[outcome]}
    ORDER BY r.at DESC, r.id DESC LIMIT ${keptRequests.all}`;
  return { items: rows.map(toRecord), nextCursor: null, keepsPayloads };
}

const toRecord = ({ id, at, boardId, latencyUs, ...row }: RequestRow): RequestRecord => ({
  ...row,
  id: toId(idPrefixes.request, id),
  at: at.toISOString(),
  boardId: boardId && toId(idPrefixes.board, boardId),
  latencyMs: latencyUs / 1000,
});

/** A request that was kept, to be sent again, with its body as `listRequests` says. @throws {AppError} `ENDPOINT_UNKNOWN`, `REQUEST_UNKNOWN` */
export async function getRequest(
  { scope, personId }: Reader,
  name: string,
  id: string,
): Promise<KeptRequest> {
  const { id: endpointId, ...endpoint } = await findTrafficked(scope, name);
  const uuid = parseId(idPrefixes.request, id);
  const [row] = uuid
    ? await database().$queryRaw<
        { at: Date; revision: number; protocol: RequestProtocol; body: string | null }[]
      >`
        SELECT at, revision, protocol, body FROM request_record
        WHERE id = ${uuid}::uuid AND endpoint_id = ${endpointId}::uuid`
    : [];
  if (!row) {
    throw fail("REQUEST_UNKNOWN", "This request is not among the last ones of the endpoint.", {
      hint: `The last ${keptRequests.all} are kept, for 30 days at most.`,
    });
  }
  const { at, revision, protocol, body } = row;
  const isBodyShown = body !== null && !isPrivateToOther(endpoint, personId);
  return { id, at: at.toISOString(), revision, protocol, ...(isBodyShown ? { body } : {}) };
}
