import {
  type EndpointState,
  manifestSchema,
  servingSchema,
  tensorAddressSchema,
} from "@/lib/common/contract";
import type { Datatype, TensorSpec } from "@/lib/common/tensor";
import { database, toId } from "@/lib/server/db";
import type { RouteEndpoint, RouteReplica, RouteRevision, RouteSnapshot } from "./types";

/** Reads every live endpoint with its revisions and the slots that serve them, in one consistent picture. */
export async function loadRoutes(): Promise<RouteSnapshot> {
  const rows = await database().$queryRaw<Row[]>`
    SELECT e.id, e.keep_payloads AS "keepsPayloads", e.name, CASE WHEN e.paused AND e.state <> 'deleting' THEN 'paused' ELSE e.state END AS state, e.reason,
      e.problem ->> 'message' AS problem, r.split,
      coalesce(revisions.list, '[]'::jsonb) AS revisions
    FROM endpoint e
    LEFT JOIN route r ON r.endpoint_id = e.id
    LEFT JOIN LATERAL (
      SELECT jsonb_agg(jsonb_build_object(
        'id', v.id, 'ordinal', v.ordinal, 'manifest', a.manifest, 'serving', v.request -> 'serving',
        'replicas', coalesce(replicas.list, '[]'::jsonb)) ORDER BY v.ordinal) AS list
      FROM revision v
      JOIN artifact a ON a.digest = v.artifact_digest
      LEFT JOIN LATERAL (
        SELECT jsonb_agg(jsonb_build_object(
          'slotId', s.id, 'slotEpoch', s.epoch, 'address', b.address) ORDER BY s.id) AS list
        FROM slot_assignment sa
        JOIN slot s ON s.id = sa.slot_id
        JOIN board d ON d.id = s.board_id
        JOIN board_server b ON b.id = d.board_server_id
        WHERE sa.revision_id = v.id AND sa.released_at IS NULL
          AND s.state = 'serving' AND s.reported_epoch = s.epoch
          AND s.desired_revision_id = v.id AND s.reported_revision_id = v.id
          AND s.reported_artifact_digest = v.artifact_digest
      ) replicas ON true
      WHERE v.endpoint_id = e.id AND v.state <> 'failed'
    ) revisions ON true
    WHERE e.deleted_at IS NULL
    ORDER BY e.name`;
  return { endpoints: rows.map(toEndpoint) };
}

interface Row {
  readonly id: string;
  readonly keepsPayloads: boolean;
  readonly name: string;
  readonly state: EndpointState;
  readonly reason: string | null;
  readonly problem: string | null;
  readonly split: readonly { revisionId: string; percent: number }[] | null;
  readonly revisions: readonly {
    readonly id: string;
    readonly ordinal: number;
    readonly manifest: unknown;
    readonly serving: unknown;
    readonly replicas: readonly { slotId: string; slotEpoch: number; address: unknown }[];
  }[];
}

function toEndpoint(row: Row): RouteEndpoint {
  const { id, keepsPayloads, name, state, reason, problem, split, revisions } = row;
  return {
    id,
    keepsPayloads,
    name,
    state,
    reason: problem ?? reason,
    split: (split ?? []).map(({ revisionId, percent }) => ({
      revisionId: toId("rev", revisionId),
      percent,
    })),
    revisions: revisions.map(toRevision),
  };
}

function toRevision({
  id,
  ordinal,
  manifest,
  serving,
  replicas,
}: Row["revisions"][number]): RouteRevision {
  const { platform, io, maxBatchSize, engine, boardModel } = manifestSchema.parse(manifest);
  const labels = io.outputs.flatMap(({ name, labels }) =>
    labels ? [[name, labels] as const] : [],
  );
  return {
    id: toId("rev", id),
    version: String(ordinal),
    platform,
    inputs: io.inputs.map(toSpec),
    outputs: io.outputs.map(toSpec),
    maxBatchSize,
    serving: servingSchema.parse(serving ?? {}),
    labels: Object.fromEntries(labels),
    properties: {
      engine,
      board: boardModel,
      ...(labels.length === 0 ? {} : { labels: labels.flatMap(([, names]) => names).join(",") }),
    },
    replicas: replicas.map(
      ({ slotId, slotEpoch, address }): RouteReplica => ({
        slotId: toId("slt", slotId),
        slotEpoch,
        address: tensorAddressSchema.parse(address),
      }),
    ),
  };
}

function toSpec({
  name,
  datatype,
  shape,
}: {
  name: string;
  datatype: string;
  shape: number[];
}): TensorSpec {
  return { name, datatype: datatype as Datatype, shape };
}
