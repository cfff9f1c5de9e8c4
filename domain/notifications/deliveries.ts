import { idPrefixes, type NotificationEvent } from "@/lib/common/contract";
import { database, type Sql, sql, type Tx, toId, toJson, uuidv7 } from "@/lib/server/db";
import type { DeliveryOutcome, TakenDelivery } from "./types";

/** How long whoever has taken a delivery may be silent before it is taken for lost and sent again. */
const sendingS = 30;
/** Waits between tries, in seconds: some seven hours in all, then it has failed. */
const waitsS = [10, 30, 120, 600, 1800, 7200, 14_400] as const;

interface EndedBuild {
  readonly projectId: string;
  readonly state: string;
  readonly endedAt: Date;
  readonly facts: object;
}

interface Target {
  readonly channel: "webhook" | "mail";
  readonly id: string;
  readonly address: string;
}

const eventOf = (state: string): NotificationEvent =>
  state === "succeeded"
    ? "build.succeeded"
    : state === "cancelled"
      ? "build.cancelled"
      : "build.failed";

/** Whether a receiver is to be told of this one build. */
const isAsked = (buildId: string): Sql =>
  sql`id IN (SELECT n.target_id FROM build_notice n WHERE n.build_id = ${buildId}::uuid)`;

/** Writes a delivery for everybody who wants to hear of the end of a build, once each, in the transaction of that end. */
export async function queueBuildEnd(tx: Tx, buildId: string): Promise<void> {
  const [build] = await tx.$queryRaw<EndedBuild[]>`
    SELECT project_id AS "projectId", state, ended_at AS "endedAt", jsonb_build_object(
      'state', state, 'endpointName', endpoint_name, 'engine', engine, 'boardModel', board_model,
      'boardKind', board_kind, 'modelUrl', model_url, 'reused', reused_from_id IS NOT NULL,
      'artifactDigest', artifact_digest, 'reason', problem ->> 'reason', 'message', problem ->> 'message',
      'durationMs', round(extract(epoch FROM ended_at - started_at) * 1000)) AS facts
    FROM build WHERE id = ${buildId}::uuid AND ended_at IS NOT NULL`;
  if (!build) return;
  const event = eventOf(build.state);
  const targets = await tx.$queryRaw<Target[]>`
    SELECT 'webhook' AS channel, id, url AS address FROM webhook
    WHERE project_id = ${build.projectId}::uuid AND (events ? ${event} OR ${isAsked(buildId)})
    UNION ALL
    SELECT 'mail', id, address FROM mail_recipient
    WHERE project_id = ${build.projectId}::uuid AND (events ? ${event} OR ${isAsked(buildId)})`;
  const shown = { id: toId(idPrefixes.build, buildId), ...build.facts };
  for (const target of targets)
    await addDelivery(tx, build.projectId, target, {
      event,
      time: build.endedAt.toISOString(),
      data: { build: shown },
    });
}

/** Writes one delivery. Answers its UUID. */
export async function addDelivery(
  tx: Tx,
  projectId: string,
  { channel, id: targetId, address }: Target,
  { event, time, data }: { readonly event: string; readonly time: string; readonly data: object },
): Promise<string> {
  const id = uuidv7();
  const payload = toJson({ id: toId(idPrefixes.delivery, id), type: event, time, data });
  await tx.delivery.create({ data: { id, projectId, channel, targetId, address, event, payload } });
  return id;
}

/**
 * Takes the delivery that is due first, so that nobody else sends it for a while. Whoever dies with one has it sent again by
 * another: a receiver may get it twice, and never not at all.
 */
export async function claimDelivery(): Promise<TakenDelivery | null> {
  const [row] = await database().$queryRaw<
    (Omit<TakenDelivery, "shownId" | "body"> & { payload: object })[]
  >`
    UPDATE delivery d SET tries = tries + 1, tried_at = now(), next_at = now() + make_interval(secs => ${sendingS})
    WHERE d.id = (
      SELECT id FROM delivery WHERE state = 'waiting' AND next_at <= now() ORDER BY next_at LIMIT 1
      FOR UPDATE SKIP LOCKED)
    RETURNING d.id, d.channel, d.target_id AS "targetId", d.address, d.event, d.payload, d.tries, d.tried_at AS "takenAt",
      (SELECT w.secret FROM webhook w WHERE w.id = d.target_id) AS secret,
      EXISTS (SELECT 1 FROM webhook w WHERE w.id = d.target_id)
        OR EXISTS (SELECT 1 FROM mail_recipient r WHERE r.id = d.target_id) AS "isWanted"`;
  if (!row) return null;
  const { payload, ...taken } = row;
  return { ...taken, shownId: toId(idPrefixes.delivery, taken.id), body: JSON.stringify(payload) };
}

/** Notes what came of a try; what may be tried again waits longer each time. Says nothing of a later try. */
export async function settleDelivery(
  { id, tries }: Pick<TakenDelivery, "id" | "tries">,
  { isDelivered, mayRetry, status, problem }: DeliveryOutcome,
): Promise<void> {
  const waitS = mayRetry ? waitsS[tries - 1] : undefined;
  const state = isDelivered ? "delivered" : waitS === undefined ? "failed" : "waiting";
  await database().$executeRaw`
    UPDATE delivery SET state = ${state}, status = ${status}::int, problem = ${problem},
      next_at = now() + make_interval(secs => ${waitS ?? 0}::float8),
      ended_at = CASE WHEN ${state} = 'waiting' THEN NULL ELSE now() END
    WHERE id = ${id}::uuid AND tries = ${tries} AND state = 'waiting'`;
}
