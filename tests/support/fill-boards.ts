import pg from "pg";

const hosts = 5;

/**
 * Fills a database with board servers and boards of all kinds and states: one in ten is drained, the last server is silent.
 * No reconciler should look at it: nothing stands behind these boards.
 */
export async function fillBoards(
  databaseUrl: string,
  { boards }: { readonly boards: number },
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on("error", () => {});
  await client.connect();
  await client.query("SET session_replication_role = replica");
  await client.query(
    `INSERT INTO board_server (id, name, public_key, address, simulated_capacity, heartbeat_at, version)
     SELECT gen_random_uuid(), 'host-' || n, encode(sha256(n::text::bytea), 'base64'),
       '{"kind": "tcp", "host": "127.0.0.1", "port": 1}', 400,
       CASE WHEN n = $1::int THEN now() - interval '1 hour' ELSE now() + interval '1 day' END, '0.1.0'
     FROM generate_series(1, $1::int) n`,
    [hosts],
  );
  await client.query(
    `INSERT INTO board (id, board_server_id, key, name, board_model, kind, drain, drained_at)
     SELECT gen_random_uuid(), s.id, kind || '-' || n,
       CASE kind WHEN 'cpu' THEN 'CPU cpu-' ELSE 'Board bench-' END || n,
       CASE kind WHEN 'cpu' THEN 'cpu' ELSE (ARRAY['icebreaker', 'ulx3s-25f', 'zedboard'])[1 + n % 3] END, kind,
       CASE WHEN n % 10 = 4 THEN 'move' END, CASE WHEN n % 10 = 4 THEN now() END
     FROM (SELECT n, CASE WHEN n % 7 = 0 THEN 'cpu' WHEN n % 3 = 0 THEN 'physical' ELSE 'simulated' END AS kind
       FROM generate_series(1, $1::int) n) made
     JOIN (SELECT id, row_number() OVER (ORDER BY name) AS at FROM board_server WHERE name LIKE 'host-%') s ON s.at = 1 + n % $2::int`,
    [boards, hosts],
  );
  await client.query(
    `INSERT INTO slot (id, board_id, index, state, problem)
     SELECT gen_random_uuid(), b.id, i, state,
       CASE WHEN state = 'unreachable' THEN '{"reason": "LINK_FAILED", "message": "It does not answer."}'::jsonb END
     FROM (SELECT b.id, b.kind, row_number() OVER (ORDER BY b.id) AS n FROM board b
       JOIN board_server s ON s.id = b.board_server_id WHERE s.name LIKE 'host-%') b,
       generate_series(0, CASE b.kind WHEN 'cpu' THEN 7 ELSE 0 END) i,
       LATERAL (SELECT (ARRAY['empty', 'serving', 'serving', 'loading', 'unreachable', 'empty'])[1 + (b.n + i) % 6] AS state) s`,
  );
  await client.query("VACUUM ANALYZE");
  await client.end();
}
