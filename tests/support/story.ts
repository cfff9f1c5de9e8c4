import pg from "pg";
import { appendLog, compactLog, failBuild, saveStages } from "@/domain/builds";
import type { LogLine, Stage } from "@/lib/common/contract";
import { uuidv7 } from "@/lib/server/db";
import { objectStore } from "@/lib/server/storage";
import { scope } from "./domain";

/** What a build is to look like that nobody really built. */
export interface ToldBuild {
  readonly endpointName?: string | null;
  readonly boardKind?: "simulated" | "cpu";
  readonly stages: readonly Stage[];
  /** Lines of its log, some at a time. */
  readonly lines: Iterable<readonly LogLine[]>;
  /** How it ends; null: it goes on. */
  readonly problem: string | null;
}

/**
 * Puts a build into a database as if a worker had it, through the very functions that a worker calls; no worker takes it, since it
 * is held. Answers its shown id. The variables of the process name the database and the store.
 */
export async function tellBuild(databaseUrl: string, told: ToldBuild): Promise<string> {
  const id = uuidv7();
  const cpu = told.boardKind === "cpu";
  const [engine, board] = cpu ? ["onnx", "cpu"] : ["boardwalk", "icebreaker"];
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const request = {
    engine,
    model: { url: "s3://boardwalk-samples/iris-mlp/model.onnx" },
    board: { model: board, kind: cpu ? "cpu" : "simulated" },
  };
  // Nobody went through the states before: the triggers that would ask for them rest.
  await client.query("SET session_replication_role = replica");
  await client.query(
    `INSERT INTO build (id, project_id, state, request, engine, board_model, board_kind, model_url, endpoint_name,
       started_at, created_at, lease_epoch, lease_owner, lease_until)
     VALUES ($1, $2, 'running', $3, $4, $5, $6, $7, $8, now() - interval '40 s', now() - interval '45 s', 1, 'story',
       now() + interval '1 hour')`,
    [
      id,
      scope,
      JSON.stringify(request),
      engine,
      board,
      request.board.kind,
      request.model.url,
      told.endpointName ?? null,
    ],
  );
  await client.query(
    `INSERT INTO transition (build_id, from_state, to_state, epoch, actor, created_at) VALUES
       ($1, NULL, 'queued', 0, 'api', now() - interval '45 s'), ($1, 'queued', 'preparing', 1, 'story', now() - interval '40 s'),
       ($1, 'preparing', 'running', 1, 'story', now() - interval '39 s')`,
    [id],
  );
  await client.query(
    `INSERT INTO attempt (build_id, epoch, worker_id, started_at) VALUES ($1, 1, 'story', now() - interval '40 s')`,
    [id],
  );
  await client.end();
  for (const lines of told.lines) await appendLog(id, 1, lines);
  await saveStages(id, 1, told.stages);
  if (told.problem !== null) {
    const { problem: message } = told;
    await failBuild(id, 1, { code: "internal", reason: "TOOL_FAILED", message }, "failed");
    await compactLog(id, 1, objectStore());
  }
  return `bld_${id}`;
}
