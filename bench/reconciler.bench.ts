import { deleteEndpoint, reconcileEndpoints } from "@/domain/endpoints";
import type { Scope } from "@/lib/common/contract";
import { closeDatabase, database } from "@/lib/server/db";
import { deploy } from "@/tests/support/deploy";
import { iris, scope } from "@/tests/support/domain";
import { startPostgres } from "@/tests/support/postgres";
import { median } from "./median";

/**
 * Ten thousand endpoints wait for a board that is not there: how long a pass of the reconciler takes from the first on, and
 * how long a delete takes that comes while it works.
 */
const waiting = Number(process.env["BENCH_ENDPOINTS"] ?? 10_000);
const passes = 40;
const postgres = await startPostgres();
process.env["DATABASE_URL"] = await postgres.newDatabase();

const passMs: number[] = [];
async function pass(): Promise<void> {
  const started = performance.now();
  await reconcileEndpoints();
  passMs.push(performance.now() - started);
}

/** Copies of one deployed endpoint whose artifact is there. */
async function fill(count: number): Promise<void> {
  await deploy(scope as Scope, iris("first"));
  const db = database();
  await db.$executeRaw`
    INSERT INTO endpoint (id, project_id, name)
    SELECT gen_random_uuid(), ${scope}::uuid, 'waits-' || n FROM generate_series(1, ${count}::int) n`;
  await db.$executeRaw`
    INSERT INTO revision (id, project_id, endpoint_id, ordinal, request, engine, board_model, board_kind, model_url, artifact_digest)
    SELECT gen_random_uuid(), e.project_id, e.id, 1, r.request, r.engine, r.board_model, r.board_kind, r.model_url, 'sha256:0'
    FROM endpoint e, revision r WHERE e.name LIKE 'waits-%'`;
  await db.$executeRaw`ANALYZE`;
}

async function deleteMs(name: string): Promise<number> {
  const started = performance.now();
  await deleteEndpoint(scope, name);
  while ((await database().endpoint.count({ where: { name, deletedAt: null } })) > 0) await pass();
  return performance.now() - started;
}

try {
  await fill(waiting);
  await pass();
  for (let n = 0; n < passes; n++) await pass();
  const deletes = [];
  for (let n = 1; n <= 5; n++) deletes.push(await deleteMs(`waits-${waiting - n}`));
  const line = (what: string, ms: number | undefined) =>
    process.stdout.write(`${what.padEnd(34)} ${(ms ?? 0).toFixed(0).padStart(6)} ms\n`);
  process.stdout.write(`${waiting} endpoints that wait for a board\n`);
  line("first pass", passMs[0]);
  line(`pass, median of ${passMs.length}`, median(passMs));
  line("pass, longest", Math.max(...passMs));
  line("delete, until the name is free", Math.max(...deletes));
} finally {
  await closeDatabase();
  await postgres.stop();
}
