import pg from "pg";
import { scope } from "./domain";

/** Names as people give them, and how often each is met: the first of each list most. */
const engines = "ARRAY['boardwalk', 'onnx', 'hls4ml', 'bondmachine']";
const boards =
  "ARRAY['icebreaker', 'cpu', 'ulx3s-25f', 'ulx3s-85f', 'icestick', 'tang-nano-9k', 'arty-a7-35t', 'zedboard', 'pynq-z2', 'de10-nano', 'upduino-v3', 'colorlight-i5']";
const models = "ARRAY['digits', 'iris', 'jets', 'wine', 'diabetes']";

/** A key that sorts by its time, as `uuidv7` makes them. */
const uuidOf = (time: string) =>
  `(lpad(to_hex((extract(epoch FROM ${time}) * 1000)::bigint), 12, '0') || '7' || substr(md5(random()::text), 1, 3)
    || '8' || substr(md5(random()::text), 1, 15))::uuid`;

const stages = JSON.stringify(
  ["fetch", "inspect", "plan", "synthesise", "place", "pack", "simulate", "verify", "store"].map(
    (name) => ({
      name,
      state: "succeeded",
      durationMs: 1234,
      startedAt: "2026-01-01T00:00:00.000Z",
    }),
  ),
);
const report = JSON.stringify({
  resources: [{ id: "lut", name: "Logic cells", used: 2410, available: 5280 }],
  proof: {
    vectors: 64,
    mismatches: 0,
    rows: 30,
    maxAbsError: 0.01,
    agreement: 1,
    source: "held-back rows",
  },
});

/**
 * Fills a database with builds of 100 days, and endpoints each with one revision of one build; then lets Postgres look at it. No
 * reconciler looks at these endpoints for a day; builds under way would be taken by a worker.
 */
export async function fillLists(
  databaseUrl: string,
  {
    builds,
    endpoints,
    underWay = true,
  }: { readonly builds: number; readonly endpoints: number; readonly underWay?: boolean },
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on("error", () => {});
  await client.connect();
  // Rows that nobody went through states for: the triggers that would ask how they came there rest.
  await client.query("SET session_replication_role = replica");
  await client.query("SELECT setseed(0.5)");
  await client.query(
    `INSERT INTO build (id, project_id, state, request, engine, board_model, board_kind, model_url, endpoint_name,
       labels, report, created_at, started_at, ended_at, lease_epoch)
     SELECT ${uuidOf("made")}, $1::uuid, state, jsonb_build_object('engine', engine, 'options', '{}'::jsonb,
         'model', jsonb_build_object('url', 's3://boardwalk-uploads/' || model || '/model.onnx'),
         'board', jsonb_build_object('model', board, 'kind', 'simulated')), engine, board, 'simulated',
       's3://boardwalk-uploads/' || model || '/model.onnx', CASE WHEN n % 50 = 0 THEN NULL ELSE model END,
       CASE WHEN n % 100 = 5 THEN ARRAY['night', 'paper'] WHEN n % 2 = 0 THEN ARRAY['night'] ELSE '{}' END,
       CASE state WHEN 'succeeded' THEN $3::jsonb END, made,
       CASE WHEN state <> 'queued' THEN made + interval '1 s' END,
       CASE WHEN state NOT IN ('queued', 'preparing', 'running') THEN date_trunc('milliseconds', made + random() * interval '300 s' + interval '1 s') END, 1
     FROM (SELECT n, date_trunc('milliseconds', now() - (($2 - n)::float8 / $2) * interval '100 days') AS made,
       CASE WHEN n > $2 - 6 AND $4 THEN 'queued' WHEN n > $2 - 8 AND $4 THEN 'running' WHEN n % 10 = 1 THEN 'failed'
         WHEN n % 25 = 2 THEN 'timed_out' WHEN n % 20 = 3 THEN 'cancelled' ELSE 'succeeded' END AS state,
       CASE WHEN n % 1000 = 7 THEN 'prebuilt' ELSE (${engines})[1 + floor(4 * power(random(), 2))::int] END AS engine,
       (${boards})[1 + floor(random() * 12)::int] AS board,
       (${models})[1 + n % 5] || '-' || (n / 5) % 20 AS model
       FROM generate_series(1, $2::int) n) made`,
    [scope, builds, report, underWay],
  );
  await client.query(
    `INSERT INTO attempt (build_id, epoch, worker_id, stages, lines) SELECT id, 1, 'worker', $1::jsonb, 400 FROM build`,
    [stages],
  );
  await client.query(
    `INSERT INTO endpoint (id, project_id, name, state, created_at, look_at)
     SELECT ${uuidOf("made")}, $1::uuid, (${models})[1 + n % 5] || '-' || n % 100 || '-' || n,
       CASE WHEN n % 20 = 1 THEN 'failed' WHEN n % 50 = 2 THEN 'building' ELSE 'ready' END, made, now() + interval '1 day'
     FROM (SELECT n, date_trunc('milliseconds', now() - (($2 - n)::float8 / $2) * interval '100 days') AS made FROM generate_series(1, $2::int) n) made`,
    [scope, endpoints],
  );
  await client.query(
    `INSERT INTO revision (id, project_id, endpoint_id, ordinal, request, engine, board_model, board_kind, model_url, build_id)
     SELECT gen_random_uuid(), e.project_id, e.id, 1, b.request, b.engine, b.board_model, b.board_kind, b.model_url, b.id
     FROM (SELECT *, row_number() OVER (ORDER BY id) AS n FROM endpoint) e
     JOIN (SELECT *, row_number() OVER (ORDER BY id) AS n FROM build) b ON b.n = e.n * ($1::int / $2::int)`,
    [builds, endpoints],
  );
  await client.query(
    `INSERT INTO route (endpoint_id, project_id, split)
     SELECT endpoint_id, project_id, jsonb_build_array(jsonb_build_object('revisionId', id, 'percent', 100)) FROM revision`,
  );
  await client.query("VACUUM ANALYZE");
  await client.end();
}
