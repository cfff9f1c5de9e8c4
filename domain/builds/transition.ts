import { recordEvent } from "@/domain/events";
import { queueBuildEnd } from "@/domain/notifications";
import { type BuildState, finalBuildStates, idPrefixes } from "@/lib/common/contract";
import { emptySql, type Sql, sql, type Tx, toId } from "@/lib/server/db";
import { statesBefore } from "./states";

/** A step from one state of a build to another, with its conditions. */
export interface Change {
  readonly buildId: string;
  readonly to: BuildState;
  readonly actor: string;
  readonly reason?: string | null;
  /** Further conditions on `build b`; the change happens only where they hold. */
  readonly where: Sql;
  /** Further columns to set, each followed by a comma's worth: `sql\`, ended_at = now()\``. */
  readonly set?: Sql;
}

/** The build as the step found it; its epoch is that of the attempt that runs. */
export interface Changed {
  readonly projectId: string;
  readonly epoch: number;
  readonly from: BuildState;
}

/**
 * Changes a build's state if it is still what the caller believes, with the transition row (R3). The caller records the
 * event, last.
 *
 * @returns Null when the condition did not hold: nothing was changed.
 */
export async function transition(tx: Tx, change: Change): Promise<Changed | null> {
  const from = [...statesBefore(change.to)];
  const ends = finalBuildStates.has(change.to);
  const [changed] = await tx.$queryRaw<Changed[]>`
    WITH before AS (
      SELECT b.id, b.state FROM build b
      WHERE b.id = ${change.buildId}::uuid AND b.state = ANY(${from}) AND ${change.where}
      FOR UPDATE
    ), changed AS (
      UPDATE build SET state = ${change.to}
        ${ends ? sql`, ended_at = now(), lease_until = NULL, waits_for_id = NULL` : emptySql}
        ${change.set ?? emptySql}
      FROM before WHERE build.id = before.id
      RETURNING build.id, build.project_id, build.lease_epoch, before.state AS from_state
    ), told AS (
      INSERT INTO transition (build_id, from_state, to_state, epoch, actor, reason)
      SELECT id, from_state, ${change.to}, lease_epoch, ${change.actor}, ${change.reason ?? null} FROM changed
    )
    SELECT project_id AS "projectId", lease_epoch AS epoch, from_state AS "from" FROM changed`;
  return changed ?? null;
}

/** Tells the event stream that a build changed; an end is told exactly once (R4), and to whoever wants to hear of it. */
export async function tellBuild(
  tx: Tx,
  build: { readonly buildId: string; readonly projectId: string; readonly ended?: boolean },
): Promise<void> {
  if (build.ended) await queueBuildEnd(tx, build.buildId);
  await recordEvent(tx, {
    projectId: build.projectId,
    noun: "build",
    id: toId(idPrefixes.build, build.buildId),
    ...(build.ended ? { onceKey: `build.ended:${build.buildId}` } : {}),
  });
}
