import { recordEvent } from "@/domain/events";
import type { BoardKind, Rollback, Scope } from "@/lib/common/contract";
import { type AppError, fail } from "@/lib/common/errors";
import { type Sql, sql, type Tx, withTransaction } from "@/lib/server/db";
import { type LockedEndpoint, lockEndpoint } from "./locked-endpoint";
import { nextTurn } from "./turns";

interface Candidate {
  readonly id: string;
  readonly ordinal: number;
  readonly state: "building" | "ready" | "failed" | "retired";
  readonly boardModel: string;
  readonly boardKind: BoardKind;
  readonly boardId: string | null;
  readonly isBuilt: boolean;
  readonly hasServed: boolean;
  /** Whether it was asked to serve after all others that may still do. */
  readonly isWanted: boolean;
}

/**
 * Asks for a revision that is built already to serve again; without a number, for the one that served before. The reconciler
 * loads it beside the one that serves, and switches the route once it serves. Nothing is built. A revision that is on its
 * way already stays so. To go forward again, the later revision is asked for in the same way.
 *
 * @returns The ordinal that was asked for.
 * @throws {AppError} `ENDPOINT_UNKNOWN`, `REVISION_UNKNOWN`; `STATE_CONFLICT` when the endpoint is being deleted, or the
 *   revision failed, is being built, or answers already; `PRECONDITION_FAILED` when another one answers than the caller saw;
 *   `NO_BOARD_FREE` when the board is gone that it was built for.
 */
export async function rollBack(scope: Scope, name: string, asked: Rollback): Promise<number> {
  return await withTransaction((tx) => askAgain(tx, scope, name, asked));
}

async function askAgain(
  tx: Tx,
  scope: Scope,
  name: string,
  { revision, ifServing }: Rollback,
): Promise<number> {
  const endpoint = await lockEndpoint(tx, scope, name);
  if (ifServing !== undefined) await requireServing(tx, endpoint, ifServing);
  const chosen =
    revision === undefined
      ? await getServedBefore(tx, endpoint)
      : await getRevision(tx, endpoint, revision);
  requireServable(chosen);
  if (chosen.isWanted) {
    if (chosen.id === endpoint.routedId) throw answersAlready(chosen);
    return chosen.ordinal;
  }
  await requireBoard(tx, chosen);
  await tx.$executeRaw`
    UPDATE revision SET turn = ${await nextTurn(tx, endpoint.id)}, problem = NULL,
      state = CASE state WHEN 'ready' THEN state ELSE 'building' END
    WHERE id = ${chosen.id}::uuid`;
  await recordEvent(tx, { projectId: scope, noun: "endpoint", id: name });
  return chosen.ordinal;
}

const selectCandidate = (endpointId: string): Sql => sql`
  SELECT r.id, r.ordinal, r.state, r.board_model AS "boardModel", r.board_kind AS "boardKind", r.board_id AS "boardId",
    r.artifact_digest IS NOT NULL AS "isBuilt", r.served_at IS NOT NULL AS "hasServed",
    r.state IN ('building', 'ready') AND NOT EXISTS (SELECT 1 FROM revision o WHERE o.endpoint_id = r.endpoint_id AND o.turn > r.turn
      AND o.state IN ('building', 'ready')) AS "isWanted"
  FROM revision r WHERE r.endpoint_id = ${endpointId}::uuid`;

async function getRevision(tx: Tx, { id }: LockedEndpoint, ordinal: number): Promise<Candidate> {
  const [found] = await tx.$queryRaw<Candidate[]>`
    ${selectCandidate(id)} AND r.ordinal = ${ordinal}`;
  if (found) return found;
  throw fail("REVISION_UNKNOWN", `This endpoint has no revision ${ordinal}.`, {
    field: "revision",
    hint: "GET …/revisions lists those that it has.",
  });
}

async function getServedBefore(tx: Tx, { id, routedId }: LockedEndpoint): Promise<Candidate> {
  const [found] = await tx.$queryRaw<Candidate[]>`
    ${selectCandidate(id)} AND r.served_at IS NOT NULL AND r.state <> 'failed' AND r.id IS DISTINCT FROM ${routedId}::uuid
    ORDER BY r.served_at DESC, r.turn DESC LIMIT 1`;
  if (found) return found;
  throw fail("STATE_CONFLICT", "No other revision of this endpoint served before.", {
    hint: "Name the revision to serve, or add one.",
  });
}

function requireServable({ ordinal, state, isBuilt, hasServed }: Candidate): void {
  // One that served before may have failed to be loaded anew, which another try can mend.
  if (state === "failed" && !hasServed)
    throw fail("STATE_CONFLICT", `Revision ${ordinal} failed, so there is nothing to serve.`, {
      field: "revision",
      hint: "Repeat its build, or choose a revision that served before.",
    });
  if (!isBuilt)
    throw fail("STATE_CONFLICT", `Revision ${ordinal} is still being built.`, {
      field: "revision",
      hint: "It takes over by itself once it is built and loaded, unless another is asked for.",
    });
}

const answersAlready = ({ ordinal }: Candidate): AppError =>
  fail("STATE_CONFLICT", `Revision ${ordinal} is the one that serves already.`, {
    field: "revision",
    hint: "Choose another revision.",
  });

/** That nobody has switched the endpoint since the caller looked. */
async function requireServing(
  tx: Tx,
  { routedId }: LockedEndpoint,
  ordinal: number,
): Promise<void> {
  const routed =
    routedId &&
    (await tx.revision.findUnique({ where: { id: routedId }, select: { ordinal: true } }));
  if (routed && routed.ordinal === ordinal) return;
  const now = routed ? `Revision ${routed.ordinal} answers by now` : "No revision answers by now";
  throw fail("PRECONDITION_FAILED", `${now}, not revision ${ordinal}.`, {
    field: "ifServing",
    hint: "Somebody else changed the endpoint. Look at its revisions, and ask again.",
  });
}

/** Before anything is switched: else the revision would wait for ever for a board that nobody has. */
async function requireBoard(tx: Tx, revision: Candidate): Promise<void> {
  const { ordinal, boardKind, boardModel, boardId } = revision;
  if (boardKind !== "physical") return;
  const boards = await tx.board.count({
    where: {
      removedAt: null,
      ...(boardId ? { id: boardId } : { kind: "physical", boardModel }),
    },
  });
  if (boards > 0) return;
  throw fail(
    "NO_BOARD_FREE",
    `The board that revision ${ordinal} was built for is no longer here.`,
    {
      field: "revision",
      hint: "Connect it again, or add a revision for another board.",
    },
  );
}
