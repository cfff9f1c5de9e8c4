import {
  dialAddressSchema,
  type EndpointAccess,
  type EndpointState,
  manifestSchema,
  type Scope,
  servingSchema,
} from "@/lib/common/contract";
import type { Datatype, TensorSpec } from "@/lib/common/tensor";
import { database, sql, toId } from "@/lib/server/db";
import type { RouteEndpoint, RouteReplica, RouteRevision, RouteSnapshot } from "./types";

/**
 * Reads every live endpoint with its revisions and the slots that serve them, in one consistent picture; again and again. What is
 * as it was the time before is not taken apart again: a gateway reads every few seconds, and a thousand endpoints would hold up its
 * requests each time.
 */
export function createRouteReader(): () => Promise<RouteSnapshot> {
  let known: ReadonlyMap<string, RouteEndpoint> = new Map();
  return async () => {
    const lines = await readLines();
    const fresh = lines
      .filter((line) => !known.has(line))
      .map((line) => ({ line, row: JSON.parse(line) as Row }));
    const products = await productsOf(fresh.map(({ row }) => row));
    const read = new Map(fresh.map(({ line, row }) => [line, toEndpoint(row, products)]));
    const pairs = lines.flatMap((line): [string, RouteEndpoint][] => {
      const endpoint = known.get(line) ?? read.get(line);
      return endpoint ? [[line, endpoint]] : [];
    });
    // A row whose artifact went meanwhile is read again: the same digest may come back.
    const torn = new Set(
      fresh
        .filter(({ row }) => row.revisions.some(({ digest }) => !products.has(digest)))
        .map(({ line }) => line),
    );
    known = new Map(pairs.filter(([line]) => !torn.has(line)));
    return { endpoints: pairs.map(([, endpoint]) => endpoint), gateways: await countGateways() };
  };
}

/** Reads the routes once. */
export const loadRoutes = (): Promise<RouteSnapshot> => createRouteReader()();

/** Gateways that said within three minutes that they are up, 1 at least. */
const gatewaysUp = sql`greatest(1, (SELECT count(*) FROM gateway g WHERE g.seen_at > now() - interval '3 minutes'))`;

async function countGateways(): Promise<number> {
  const [row] = await database().$queryRaw<{ count: number }[]>`
    SELECT (${gatewaysUp})::int AS count`;
  return row?.count ?? 1;
}

/** A row each, as one text: cheap to fetch and to compare. JSON has no line breaks in it. */
async function readLines(): Promise<string[]> {
  const [found] = await database().$queryRaw<{ text: string | null }[]>`
    SELECT string_agg(row_to_json(row)::text, E'\\n' ORDER BY row.name) AS text FROM (
      SELECT e.id, e.project_id AS project, e.access, e.owner_id AS "ownerId", e.keep_payloads AS "keepsPayloads",
        ceil(q.requests_per_second::numeric / ${gatewaysUp})::int AS "requestsPerSecond",
        ceil(q.requests_per_second_each::numeric / ${gatewaysUp})::int AS "requestsPerSecondEach", e.name, CASE WHEN e.paused AND e.state <> 'deleting' THEN 'paused' ELSE e.state END AS state, e.reason,
        e.problem ->> 'message' AS problem, r.split,
        coalesce(revisions.list, '[]'::jsonb) AS revisions
      FROM endpoint e LEFT JOIN project_quota q ON q.project_id = e.project_id
      LEFT JOIN route r ON r.endpoint_id = e.id
      LEFT JOIN LATERAL (
        SELECT jsonb_agg(jsonb_build_object(
          'id', v.id, 'ordinal', v.ordinal, 'digest', v.artifact_digest, 'serving', v.request -> 'serving',
          'replicas', coalesce(replicas.list, '[]'::jsonb)) ORDER BY v.ordinal) AS list
        FROM revision v
        LEFT JOIN LATERAL (
          SELECT jsonb_agg(jsonb_build_object(
            'slotId', s.id, 'slotEpoch', s.epoch, 'address', CASE b.address ->> 'kind'
              WHEN 'tls' THEN b.address || jsonb_build_object('publicKey', b.public_key) ELSE b.address END)
            ORDER BY s.id) AS list
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
          AND EXISTS (SELECT FROM artifact a WHERE a.digest = v.artifact_digest)
      ) revisions ON true
      WHERE e.deleted_at IS NULL
    ) row`;
  return found?.text?.split("\n") ?? [];
}

/** What a revision is by its artifact. */
type Product = Pick<
  RouteRevision,
  "platform" | "inputs" | "outputs" | "maxBatchSize" | "labels" | "properties"
>;

/** By digest. An artifact that was deleted since the rows were read has none. */
async function productsOf(rows: readonly Row[]): Promise<ReadonlyMap<string, Product>> {
  const digests = [
    ...new Set(rows.flatMap(({ revisions }) => revisions.map(({ digest }) => digest))),
  ];
  if (digests.length === 0) return new Map();
  const found = await database().$queryRaw<{ digest: string; manifest: unknown }[]>`
    SELECT digest, manifest FROM artifact WHERE digest = ANY(${digests}::text[])`;
  return new Map(found.map(({ digest, manifest }) => [digest, toProduct(manifest)]));
}

interface Row {
  readonly id: string;
  readonly project: Scope;
  readonly access: EndpointAccess;
  readonly ownerId: string | null;
  readonly keepsPayloads: boolean;
  readonly requestsPerSecond: number | null;
  readonly requestsPerSecondEach: number | null;
  readonly name: string;
  readonly state: EndpointState;
  readonly reason: string | null;
  readonly problem: string | null;
  readonly split: readonly { revisionId: string; percent: number }[] | null;
  readonly revisions: readonly {
    readonly id: string;
    readonly ordinal: number;
    readonly digest: string;
    readonly serving: unknown;
    readonly replicas: readonly { slotId: string; slotEpoch: number; address: unknown }[];
  }[];
}

function toEndpoint(row: Row, products: ReadonlyMap<string, Product>): RouteEndpoint {
  const {
    id,
    project,
    access,
    ownerId,
    keepsPayloads,
    requestsPerSecond,
    requestsPerSecondEach,
    ...rest
  } = row;
  const { name, state, reason, problem, split, revisions } = rest;
  return {
    id,
    project,
    access,
    ownerId,
    keepsPayloads,
    requestsPerSecond,
    requestsPerSecondEach,
    name,
    state,
    reason: problem ?? reason,
    split: (split ?? []).map(({ revisionId, percent }) => ({
      revisionId: toId("rev", revisionId),
      percent,
    })),
    revisions: revisions.flatMap((revision) => {
      const product = products.get(revision.digest);
      return product ? [toRevision(revision, product)] : [];
    }),
  };
}

function toRevision(
  { id, ordinal, serving, replicas }: Row["revisions"][number],
  product: Product,
): RouteRevision {
  return {
    ...product,
    id: toId("rev", id),
    version: String(ordinal),
    serving: servingSchema.parse(serving ?? {}),
    replicas: replicas.map(
      ({ slotId, slotEpoch, address }): RouteReplica => ({
        slotId: toId("slt", slotId),
        slotEpoch,
        address: dialAddressSchema.parse(address),
      }),
    ),
  };
}

function toProduct(manifest: unknown): Product {
  const { platform, io, maxBatchSize, engine, boardModel } = manifestSchema.parse(manifest);
  const labels = io.outputs.flatMap(({ name, labels }) =>
    labels ? [[name, labels] as const] : [],
  );
  return {
    platform,
    inputs: io.inputs.map(toSpec),
    outputs: io.outputs.map(toSpec),
    maxBatchSize,
    labels: Object.fromEntries(labels),
    properties: {
      engine,
      board: boardModel,
      ...(labels.length === 0 ? {} : { labels: labels.flatMap(([, names]) => names).join(",") }),
    },
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
