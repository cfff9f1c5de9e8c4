import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { manifestOf, modelName } from "@/bench/serving/model";
import { type Role, startRole, stopRoles } from "@/bench/serving/roles";
import { closeDatabase, database } from "@/lib/server/db";
import { scope } from "@/tests/support/domain";
import { startPostgres } from "@/tests/support/postgres";

/** A database with endpoints, a board server that serves them all, and gateways in front of it. */
export interface ManyEndpoints {
  /** Adds endpoints until there are so many: the first has the model's name, others a number behind it. */
  fill(count: number): Promise<void>;
  startGateway(): Promise<Role>;
  close(): Promise<void>;
}

/** Name of the n-th endpoint, from 1. */
export const nameOf = (n: number): string => (n === 1 ? modelName : `${modelName}-${n}`);

/** Slots, revisions and endpoints of a number share one key. */
const keyOf = (n: number): string => `00000000-0000-7000-8000-${n.toString(16).padStart(12, "0")}`;
const boardKey = "00000000-0000-7000-9000-000000000001";

export async function startManyEndpoints(): Promise<ManyEndpoints> {
  const postgres = await startPostgres();
  const folder = mkdtempSync(join(tmpdir(), "bw-scale-"));
  const roles: Role[] = [];
  process.env["DATABASE_URL"] = await postgres.newDatabase();
  process.env["LOG_LEVEL"] ??= "warn";
  const close = async () => {
    await stopRoles(roles);
    await closeDatabase();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    roles.push(await startRole("many-board", [folder, `slt_${keyOf(1)}`]));
    await addBoard(join(folder, "s"));
  } catch (error) {
    await close();
    throw error;
  }
  let filled = 0;
  return {
    async fill(count) {
      await addEndpoints(filled + 1, count);
      filled = Math.max(filled, count);
    },
    async startGateway() {
      const gateway = await startRole("many-gateway");
      // Gateways leave before the board server does.
      roles.unshift(gateway);
      gateway.child.once("exit", () => roles.splice(roles.indexOf(gateway), 1));
      await untilServed(gateway.port);
      return gateway;
    },
    close,
  };
}

async function untilServed(port: number): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    const { status } = await fetch(`http://127.0.0.1:${port}/v2/models/${modelName}/ready`);
    if (status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error("the gateway does not serve the model");
}

async function addBoard(socket: string): Promise<void> {
  const db = database();
  const address = JSON.stringify({ kind: "unix", path: socket });
  await db.$executeRaw`
    INSERT INTO board_server (id, name, public_key, address, heartbeat_at)
    VALUES (${boardKey}::uuid, 'bench', '', ${address}::jsonb, now())`;
  await db.$executeRaw`
    INSERT INTO board (id, board_server_id, key, name, board_model, kind)
    VALUES (${boardKey}::uuid, ${boardKey}::uuid, 'cpu', 'cpu', 'cpu', 'cpu')`;
}

/** Endpoints as they are when they answer: each with its artifact, its revision, and the slot that serves it. */
async function addEndpoints(first: number, last: number): Promise<void> {
  const db = database();
  const manifest = JSON.stringify(manifestOf(64));
  for (let n = first; n <= last; n++) {
    const [key, digest] = [keyOf(n), `sha256:${n}`];
    const split = JSON.stringify([{ revisionId: key, percent: 100 }]);
    await db.$transaction([
      db.$executeRaw`
        INSERT INTO artifact (digest, plan_digest, manifest, signature, report, size_bytes, build_id, epoch)
        VALUES (${digest}, ${digest}, ${manifest}::jsonb, '{}', '{}', 1, ${key}::uuid, 1)`,
      db.$executeRaw`
        INSERT INTO endpoint (id, project_id, name, state, ready_at)
        VALUES (${key}::uuid, ${scope}::uuid, ${nameOf(n)}, 'ready', now())`,
      db.$executeRaw`
        INSERT INTO revision (id, project_id, endpoint_id, ordinal, state, request, engine, board_model, board_kind, model_url, artifact_digest)
        VALUES (${key}::uuid, ${scope}::uuid, ${key}::uuid, 1, 'ready', '{}', 'onnx', 'cpu', 'cpu', '', ${digest})`,
      db.$executeRaw`
        INSERT INTO route (endpoint_id, project_id, split) VALUES (${key}::uuid, ${scope}::uuid, ${split}::jsonb)`,
      db.$executeRaw`
        INSERT INTO slot (id, board_id, index, state, epoch, desired_revision_id, reported_revision_id, reported_artifact_digest, reported_epoch)
        VALUES (${key}::uuid, ${boardKey}::uuid, ${n}::int, 'serving', 1, ${key}::uuid, ${key}::uuid, ${digest}, 1)`,
      db.$executeRaw`
        INSERT INTO slot_assignment (id, slot_id, revision_id, epoch)
        VALUES (${key}::uuid, ${key}::uuid, ${key}::uuid, 1)`,
    ]);
  }
  await db.$executeRaw`ANALYZE`;
}
