import pg from "pg";
import { scope } from "./domain";

/** How much of everything `fillPeople` makes. */
export interface People {
  readonly users: number;
  readonly projects: number;
  /** Members of a project; the first project has twenty times as many. */
  readonly members: number;
  readonly auditEntries: number;
}

/**
 * Fills a database with people, their sessions, projects, members, tokens, invitations and audit log, with a few builds in each project;
 * then lets Postgres look at it. The first user is a member of every project.
 */
export async function fillPeople(databaseUrl: string, people: People): Promise<void> {
  const { users, projects, members, auditEntries } = people;
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on("error", () => {});
  await client.connect();
  const fill = (text: string, ...values: unknown[]) => client.query(text, values);
  const id = (kind: number, n: string) =>
    `('0190000${kind}-0000-7000-8000-' || lpad(to_hex((${n})::bigint), 12, '0'))::uuid`;
  // Rows that nobody went through states for: the triggers that would ask how they came there rest.
  await fill("SET session_replication_role = replica");
  await fill(
    `INSERT INTO "user" (id, name, email) SELECT ${id(1, "n")}, 'Person ' || md5(n::text), 'p' || n || '@lab.example'
     FROM generate_series(1, $1::int) n`,
    users,
  );
  await fill(
    `INSERT INTO session (id, user_id, token, expires_at)
     SELECT gen_random_uuid(), u.id, md5(u.id::text || k), now() + interval '7 days' FROM "user" u, generate_series(1, 2) k`,
  );
  await fill(
    `INSERT INTO project (id, name) SELECT ${id(2, "n")}, 'project-' || n FROM generate_series(2, $1::int) n`,
    projects,
  );
  const numbered = `(SELECT id, name, row_number() OVER (ORDER BY id) AS n FROM project) p`;
  await fill(
    `INSERT INTO membership (project_id, user_id, role)
     SELECT p.id, ${id(1, "1 + (p.n * 7 + k * 13) % $1::int")}, (ARRAY['builder', 'viewer', 'admin'])[1 + k % 3]
     FROM ${numbered}, generate_series(1, CASE WHEN p.id = $2::uuid THEN $3::int * 20 ELSE $3::int END) k
     UNION SELECT p.id, ${id(1, "1")}, 'admin' FROM ${numbered} ON CONFLICT DO NOTHING`,
    users,
    scope,
    members,
  );
  await fill(
    `INSERT INTO token (id, project_id, user_id, kind, name, digest, ending, scopes, expires_at)
     SELECT gen_random_uuid(), m.project_id, m.user_id, 'api', 'token ' || k, sha256((m.project_id::text || m.user_id || k)::bytea),
       'abcd', ARRAY['infer'], now() + interval '90 days' FROM membership m, generate_series(1, 3) k`,
  );
  await fill(
    `INSERT INTO invitation (id, project_id, digest, role, note, expires_at)
     SELECT gen_random_uuid(), p.id, sha256((p.id::text || k)::bytea), 'viewer', 'somebody', now() + interval '7 days'
     FROM project p, generate_series(1, 5) k`,
  );
  await fill(
    `INSERT INTO build (id, project_id, state, request, engine, board_model, board_kind, model_url, endpoint_name, labels, created_at,
       started_at, ended_at, lease_epoch)
     SELECT gen_random_uuid(), p.id, 'succeeded', '{}', 'onnx', 'cpu', 'cpu', 's3://x', 'name-' || k, '{}',
       now() - interval '1 day', now() - interval '1 day', now() - interval '1 day' + interval '1 minute', 1
     FROM project p, generate_series(1, 20) k`,
  );
  await fill(
    `INSERT INTO audit_entry (id, at, actor_kind, actor_id, actor_name, project_id, project_name, action, target_noun, target_id,
       target_name, result)
     SELECT (lpad(to_hex((extract(epoch FROM made) * 1000)::bigint), 12, '0') || '7' || substr(md5(e.n::text), 1, 3) || '8'
         || substr(md5(e.n::text), 4, 15))::uuid, made, 'person', ${id(1, "1 + e.n % $2::int")}, 'Person ' || e.n % $2::int, p.id, p.name,
       (ARRAY['endpoints.create', 'endpoints.delete', 'tokens.create', 'members.change', 'builds.cancel'])[1 + e.n % 5],
       'endpoint', 'end_' || e.n, 'name-' || e.n % 1000, (ARRAY['done', 'done', 'done', 'refused'])[1 + e.n % 4]
     FROM (SELECT n, now() - n * interval '20 seconds' AS made FROM generate_series(1, $1::int) n) e
     JOIN ${numbered} ON p.n = 1 + e.n % $3::int`,
    auditEntries,
    users,
    projects,
  );
  await fill("VACUUM ANALYZE");
  await client.end();
}
