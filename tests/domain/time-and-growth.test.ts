import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { claimBuild } from "@/domain/builds";
import { withIdempotency } from "@/domain/idempotency";
import { markPublished, takeOutbox } from "@/domain/outbox";
import { type SweptTable, sweepTable, sweptTables } from "@/domain/reconcile";
import { database } from "@/lib/server/db";
import { deploy } from "@/tests/support/deploy";
import { bare, iris, openDatabase, scope } from "../support/domain";

openDatabase();

afterEach(() => {
  vi.useRealTimers();
});

describe("a host whose clock is three years ahead", () => {
  it("writes no time of its own", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3 * 365 * 24 * 3600 * 1000 });
    const { buildId } = await deploy(scope, iris("iris"));
    await claimBuild(bare(buildId), "worker", { leaseS: 60, deadlineS: 600 });
    await withIdempotency(scope, "key", {}, async () => ({ status: 201, answer: {} }));
    await markPublished((await takeOutbox(10)).map(({ id }) => id));
    vi.useRealTimers();
    const columns = await database().$queryRaw<{ table: string; column: string }[]>`
      SELECT table_name AS table, column_name AS column FROM information_schema.columns
      WHERE table_schema = 'public' AND data_type = 'timestamp with time zone' AND table_name <> '_prisma_migrations'`;
    expect(columns.length).toBeGreaterThan(20);
    const ahead: string[] = [];
    for (const { table, column } of columns) {
      const rows = await database().$queryRawUnsafe<unknown[]>(
        `SELECT 1 FROM "${table}" WHERE "${column}" > now() + interval '1 day'`,
      );
      if (rows.length > 0) ahead.push(`${table}.${column}`);
    }
    expect(ahead).toEqual([]);
  });

  it.each(["domain", "lib/server/db", "workers/control"])("is not asked in %s", (folder) => {
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
      (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
    );
    expect(files.length).toBeGreaterThan(3);
    const asking = files.filter((name) =>
      /\bDate\.now\(|\bnew Date\(\)/.test(readFileSync(path.join(folder, name), "utf8")),
    );
    // Keys begin with the milliseconds of their making, which nothing is decided by.
    expect(asking).toEqual(folder === "lib/server/db" ? ["ids.ts"] : []);
  });

  it("is asked by no default of the data model either", () => {
    const models = readdirSync("prisma/models").map((name) =>
      readFileSync(path.join("prisma/models", name), "utf8"),
    );
    expect(models.join("")).not.toMatch(/@default\(now\(\)\)|@updatedAt/);
  });
});

describe("what grows with what callers do", () => {
  /** The record of what was asked and made, and what grows with the installation or one for one with those. */
  const kept = [
    ...[
      "project",
      "user",
      "membership",
      "model",
      "artifact",
      "artifact_reference",
      "deleted_artifact",
      "plan_shortcut",
    ],
    // A few a person or a project.
    ...["account", "passkey", "password_reset", "project_quota"],
    ...["build", "attempt", "transition", "log_chunk", "endpoint", "endpoint_ordinal", "revision"],
    ...[
      "route",
      "signing_key",
      "singleton",
      "board_server",
      "slot",
      "slot_assignment",
      "lease_load",
      // 64 KiB a lease that goes on.
      "lease_chunk",
    ],
    // As many as people attach, 64 a server at most.
    "attached_board",
    // As many as people set up, 20 and 100 a project at most.
    ...["webhook", "mail_recipient"],
    // As many as people set up, 50 a project at most.
    "connection",
    // Taken by every pass of the reconciler.
    ...["endpoint_wake", "audit_intent"],
    // As many as people pin, name, and ask to be told of before a build ends.
    ...["artifact_pin", "build_notice", "model_alias"],
    // Added to hours once they are a day old.
    "traffic_minute",
  ];

  it("is swept, or one of those that are kept", async () => {
    const rows = await database().$queryRaw<{ name: string }[]>`
      SELECT table_name AS name FROM information_schema.tables
      WHERE table_schema = 'public' AND table_name <> '_prisma_migrations'`;
    expect(rows.map(({ name }) => name).sort()).toEqual([...kept, ...sweptTables].sort());
  });

  const project = `'${scope}'::uuid`;
  const server = `(SELECT id FROM board_server LIMIT 1)`;
  const endpoint = `(SELECT id FROM endpoint WHERE name = 'swept')`;
  /** How a row of each table is made that is so many days old. */
  const rowOf: Readonly<Record<SweptTable, (days: string, n: number) => string>> = {
    idempotency_key: (days, n) =>
      `(project_id, key, body_sha256, created_at) VALUES (${project}, 'k${n}', '', ${days})`,
    event: (days, n) => `(noun, target_id, created_at) VALUES ('board', 'b${n}', ${days})`,
    outbox: (days, n) =>
      `(queue, job_id, payload, published_at) VALUES ('build', 'j${n}', '{}', ${days})`,
    inspection: (days) =>
      `(id, project_id, url, state, ended_at) VALUES (gen_random_uuid(), ${project}, 'u', 'failed', ${days})`,
    build_worker: (days, n) =>
      `(name, host, sandbox, seen_at) VALUES ('w${n}', 'h', 'none', ${days})`,
    gateway: (days, n) => `(public_key, name, seen_at) VALUES ('g${n}', 'g', ${days})`,
    delivery: (days) =>
      `(id, project_id, channel, target_id, address, event, payload, state, ended_at)
       VALUES (gen_random_uuid(), ${project}, 'mail', gen_random_uuid(), 'a', 'test', '{}', 'delivered', ${days})`,
    enrolment: (days, n) => `(code_sha256, expires_at) VALUES ('c${n}', ${days})`,
    object_hold: (days, n) => `(bucket, key, until) VALUES ('b', 'k${n}', ${days})`,
    board: (days, n) =>
      `(id, board_server_id, key, name, board_model, kind, removed_at)
       VALUES (gen_random_uuid(), ${server}, 'k${n}', 'n', 'icebreaker', 'simulated', ${days})`,
    traffic_hour: (days) =>
      `VALUES (gen_random_uuid(), ${days}, 1, 1, 0, 0, 1, 9, 1, 1, 1, 1, '{"3": 1}')`,
    request_record: (days) =>
      `(id, endpoint_id, at, protocol, status, revision, latency_us, rows, request_id)
       VALUES (gen_random_uuid(), ${endpoint}, ${days}, 'http', 200, 1, 9, 1, '')`,
    endpoint_log: (days) => `(endpoint_id, kind, at) VALUES (${endpoint}, 'state', ${days})`,
    board_history: (days) =>
      `(board_id, kind, created_at) VALUES ((SELECT id FROM board WHERE key = 'held'), 'state', ${days})`,
    recipe: (days, n) =>
      `(id, project_id, name, content, deleted_at) VALUES (gen_random_uuid(), ${project}, 'r${n}', '{}', ${days})`,
    token: (days, n) =>
      `(id, project_id, kind, name, digest, ending, scopes, expires_at)
       VALUES (gen_random_uuid(), ${project}, 'api', 'n', 't${n}', '', '{infer}', ${days})`,
    session: (days, n) =>
      `(id, user_id, token, expires_at) VALUES (gen_random_uuid(), (SELECT id FROM "user" LIMIT 1), 's${n}', ${days})`,
    invitation: (days, n) =>
      `(id, project_id, digest, role, note, expires_at) VALUES (gen_random_uuid(), ${project}, 'i${n}', 'viewer', 'n', ${days})`,
    sign_in_attempt: (days, n) =>
      `(digest, kind, next, expires_at) VALUES ('a${n}', 'service', '/', ${days})`,
    audit_entry: (days) =>
      `(id, at, actor_kind, action, result) VALUES (gen_random_uuid(), ${days}, 'owner', 'a', 'done')`,
    lease: (days) =>
      `(id, project_id, board_id, purpose, starts_at, expires_at, released_at)
       VALUES (gen_random_uuid(), ${project}, (SELECT id FROM board WHERE key = 'held'), '', ${days} - interval '1 day', ${days}, ${days})`,
    lease_wait: (days) =>
      `(id, project_id, board_model, board_kind, minutes, purpose, ended_at)
       VALUES (gen_random_uuid(), ${project}, 'icebreaker', 'simulated', 5, '', ${days})`,
    lease_call: (days) =>
      `(id, lease_id, slot_id, slot_epoch, kind, request, state, ended_at)
       SELECT gen_random_uuid(), x.id, l.id, 0, 'line', '', 'succeeded', ${days} FROM board b JOIN slot l ON l.board_id = b.id
       JOIN lease x ON x.board_id = b.id WHERE b.key = 'held' LIMIT 1`,
    board_task: (days) =>
      `(id, board_id, slot_id, slot_epoch, kind, ended_at)
       SELECT gen_random_uuid(), b.id, l.id, 0, 'blink', ${days} FROM board b JOIN slot l ON l.board_id = b.id WHERE b.key = 'held'`,
  };

  it.each(sweptTables)(
    "%s loses its old rows, a batch at a time, and keeps the others",
    async (table) => {
      await database().$executeRaw`
      INSERT INTO board_server (id, name, public_key, address) VALUES (gen_random_uuid(), 'one', '', '{}')
      ON CONFLICT DO NOTHING`;
      await database().$executeRaw`
      INSERT INTO endpoint (id, project_id, name)
      SELECT gen_random_uuid(), ${scope}::uuid, 'swept' WHERE NOT EXISTS (SELECT 1 FROM endpoint WHERE name = 'swept')`;
      await database().$executeRawUnsafe(`
        INSERT INTO board (id, board_server_id, key, name, board_model, kind)
        VALUES (gen_random_uuid(), ${server}, 'held', 'n', 'cpu', 'cpu') ON CONFLICT DO NOTHING`);
      await database().$executeRaw`
        INSERT INTO slot (id, board_id, index) SELECT gen_random_uuid(), id, 0 FROM board WHERE key = 'held'
        ON CONFLICT DO NOTHING`;
      const insert = (days: string, n: number) =>
        database().$executeRawUnsafe(`INSERT INTO ${table} ${rowOf[table](days, n)}`);
      const count = async () =>
        Number(
          (
            await database().$queryRawUnsafe<{ n: bigint }[]>(`SELECT count(*) AS n FROM ${table}`)
          )[0]?.n,
        );
      const before = await count();
      for (let n = 0; n < 5; n++) await insert("now() - interval '400 days'", n);
      await insert("now()", 5);
      expect(await sweepTable(table, { limit: 2, batches: 2 })).toBe(4);
      expect(await sweepTable(table)).toBe(1);
      expect(await count()).toBe(before + 1);
    },
  );
});
