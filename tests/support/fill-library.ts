import pg from "pg";
import { scope } from "./domain";

/** Most of a manifest and of a report by size, so that rows are as wide as real ones. */
const files = JSON.stringify(
  ["bitstream", "netlist", "constraints", "report", "placement", "vectors"].map((role) => ({
    role,
    digest: `sha256:${"ab".repeat(32)}`,
    sizeBytes: 104_857,
    bucket: "artifacts",
    key: `sha256/ab/${"ab".repeat(31)}`,
  })),
);
const report = JSON.stringify({
  resources: [
    { id: "lut", name: "Logic cells", used: 2410, available: 5280 },
    { id: "bram", name: "Block RAM", used: 8, available: 30 },
  ],
  sections: Array.from({ length: 24 }, (_, index) => ({ name: `layer ${index}`, cells: 100 })),
  proof: { vectors: 64, mismatches: 0, rows: 30, levels: [{ level: "bitstream", vectors: 64 }] },
});
const inspection = JSON.stringify({
  format: "onnx",
  parameters: 4321,
  inputs: [{ name: "input", datatype: "FP32", shape: [-1, 64] }],
  outputs: [{ name: "output", datatype: "FP32", shape: [-1, 10] }],
  layers: Array.from({ length: 24 }, (_, index) => ({ name: `layer ${index}`, kind: "dense" })),
});

/** How many rows were written of each. */
export interface LibraryRows {
  readonly artifacts: number;
  readonly models: number;
  readonly trafficMinutes: number;
}

/**
 * Gives builds that `fillLists` made what a worked-in installation has of them: firmware of every second build that succeeded, three versions
 * of so many models (the builds belong to the newest of the first 100), and requests of each endpoint in each of the last 30 minutes.
 */
export async function fillLibrary(
  databaseUrl: string,
  { models }: { readonly models: number },
): Promise<LibraryRows> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on("error", () => {});
  await client.connect();
  await client.query("SET session_replication_role = replica");
  const { rowCount: artifacts } = await client.query(
    `INSERT INTO artifact (digest, plan_digest, manifest, signature, report, size_bytes, build_id, epoch, created_at)
     SELECT 'sha256:' || encode(sha256(('artifact ' || n)::bytea), 'hex'), 'sha256:' || encode(sha256(('plan ' || n)::bytea), 'hex'),
       jsonb_build_object('kind', 'firmware', 'engine', engine, 'boardModel', board_model, 'clockHz', 12000000 + (n % 40) * 1000000,
         'files', $1::jsonb, 'tools', '{"yosys": "0.52", "nextpnr": "0.8"}'::jsonb),
       '{}', CASE WHEN n % 50 = 3 THEN $2::jsonb - 'proof' ELSE $2::jsonb END, 100000 + n * 7 % 1000003, id, 1, ended_at
     FROM (SELECT *, row_number() OVER (ORDER BY id) AS n FROM build WHERE state = 'succeeded') b WHERE n % 2 = 0`,
    [files, report],
  );
  await client.query(
    `INSERT INTO artifact_reference (project_id, artifact_digest, build_id, created_at)
     SELECT $1::uuid, digest, build_id, created_at FROM artifact`,
    [scope],
  );
  const { rowCount: rows } = await client.query(
    `INSERT INTO model (id, project_id, name, url, digest, size_bytes, inspection, created_at, source, newest, seen_at)
     SELECT (lpad(to_hex((extract(epoch FROM made) * 1000)::bigint), 12, '0') || '7' || substr(md5(n || ' ' || v), 1, 3)
         || '8' || substr(md5(v || ' ' || n), 1, 15))::uuid,
       $1::uuid, name, url, 'sha256:' || encode(sha256((n || ' version ' || v)::bytea), 'hex'), 1000 + n * 31 % 100003, $2::jsonb, made,
       url, v = 3, made
     FROM (SELECT n, v, now() - (($3 - n) * 3 + 3 - v) * interval '1 minute' AS made,
         (ARRAY['digits', 'iris', 'jets', 'wine', 'diabetes'])[1 + n % 5] || '-' || n / 5 AS name,
         's3://boardwalk-uploads/' || (ARRAY['digits', 'iris', 'jets', 'wine', 'diabetes'])[1 + n % 5] || '-' || n / 5 || '/model.onnx' AS url
       FROM generate_series(0, $3::int - 1) n, generate_series(1, 3) v) made`,
    [scope, inspection, models],
  );
  await client.query(
    `UPDATE build b SET model_digest = m.digest FROM model m WHERE m.url = b.model_url AND m.newest`,
  );
  const { rowCount: trafficMinutes } = await client.query(
    `INSERT INTO traffic_minute
     SELECT e.id, date_trunc('minute', now(), 'UTC') - make_interval(mins => m), 1, '018f0000-0000-7000-8000-000000000001'::uuid,
       60, 6, 0, 54, 5400, 1, 1, 1, 1, (SELECT jsonb_object_agg(b::text, 2) FROM generate_series(30, 56) b)
     FROM endpoint e, generate_series(-10, 30) m`,
  );
  // What a gateway writes every minute, whatever it was asked.
  await client.query(
    `INSERT INTO traffic_minute
     SELECT '00000000-0000-0000-0000-000000000000', date_trunc('minute', now(), 'UTC') - make_interval(mins => m), 0,
       '018f0000-0000-7000-8000-000000000001'::uuid, 0, 0, 0, 0, 0, 0, 0, 0, 0, '{}' FROM generate_series(-10, 30) m`,
  );
  await client.query("VACUUM ANALYZE");
  await client.end();
  return { artifacts: artifacts ?? 0, models: rows ?? 0, trafficMinutes: trafficMinutes ?? 0 };
}
