import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { audit, type Finding } from "@/domain/audit";
import { appendLog, claimBuild, compactLog, saveStages, succeedBuild } from "@/domain/builds";
import { queueBuildEnd } from "@/domain/notifications";
import { canonicalJson, type LogLine, type Stage } from "@/lib/common/contract";
import { database, uuidv7, withTransaction } from "@/lib/server/db";
import { hexOf } from "@/lib/server/digest";
import { buckets, objectStore } from "@/lib/server/storage";
import { deploy } from "@/tests/support/deploy";
import { addBoardServer, artifactOf, bare, iris, openDatabase, scope } from "../support/domain";

openDatabase();
const folder = mkdtempSync(path.join(tmpdir(), "bw-audit-"));
process.env["STORAGE_DIR"] = path.join(folder, "objects");
const logFolder = path.join(folder, "logs");
const secret = "planted-secret";
const other = "00000000-0000-7000-8000-0000000000ff";
const promised: string[] = [];
let client: pg.Client;
let slotId = "";

beforeAll(async () => {
  client = new pg.Client({ connectionString: process.env["DATABASE_URL"] });
  await client.connect();
  await addBoardServer({ cpuSlots: 1 });
  // The control process has led for long: what is late now is late.
  await client.query("UPDATE singleton SET updated_at = now() - interval '1 day'");
  slotId = (await database().slot.findFirstOrThrow()).id;
  mkdirSync(logFolder, { recursive: true });
  writeFileSync(path.join(logFolder, "portal.log"), "it is up\n");
});
afterAll(async () => {
  await client.end();
  rmSync(folder, { recursive: true, force: true });
});

const look = (more: { promised?: readonly string[] } = {}) =>
  audit({ store: objectStore(), logFolder, secrets: [secret], isRunning: true, promised, ...more });

const brokenOf = (findings: readonly Finding[]) => findings.filter(({ broken }) => broken > 0);

const stage: Stage = { name: "fetch", state: "succeeded", durationMs: 1 };
const lines = (count: number, text = "said"): LogLine[] =>
  Array.from({ length: count }, (_, i) => ({
    n: i + 1,
    time: "2026-01-01T00:00:00.000Z",
    stage: "fetch",
    stream: "stdout",
    level: "info",
    text: `${text} ${i}`,
  }));

interface Made {
  readonly id: string;
  readonly name: string;
  readonly revisionId: string;
  readonly artifact: ReturnType<typeof artifactOf>;
}

/** A build that succeeded, through the functions that a worker calls, with its bytes in the store. */
async function build(name: string, { isMoved = true, ends = true } = {}): Promise<Made> {
  const { buildId } = await deploy(scope, iris(name));
  const id = bare(buildId);
  await claimBuild(id, "w", { leaseS: 600, deadlineS: 600 });
  await appendLog(id, 1, lines(3));
  await appendLog(id, 1, lines(5).slice(3));
  await saveStages(id, 1, [stage]);
  const artifact = artifactOf(name);
  const bytes = Buffer.from(canonicalJson({ file: name }));
  const [file] = artifact.manifest.files;
  if (ends) {
    const put = { sizeBytes: bytes.length };
    await objectStore().put(buckets.artifacts, hexOf(file?.digest ?? ""), bytes, put);
    await succeedBuild(id, 1, { artifact });
    if (isMoved) await compactLog(id, 1, objectStore());
    promised.push(buildId);
  }
  const { id: revisionId } = await database().revision.findFirstOrThrow({ where: { buildId: id } });
  return { id, name, revisionId, artifact };
}

/** Writes what no function of ours would, with triggers and foreign keys at rest. */
async function spoilRows(text: string, values: unknown[] = []): Promise<void> {
  await client.query("SET session_replication_role = replica");
  await client.query(text, values);
  await client.query("SET session_replication_role = origin");
}

const objectOf = (bucket: string, key: string) => path.join(folder, "objects", bucket, key);

/** What is broken, by its rule: each build is broken in one way. */
const breaks: readonly (readonly [string, RegExp, () => Promise<unknown>])[] = [
  [
    "R1",
    /ended 0 times/,
    async () => {
      const { id } = await build("end-untold");
      await spoilRows("DELETE FROM transition WHERE build_id = $1 AND to_state = 'succeeded'", [
        id,
      ]);
    },
  ],
  [
    "R1",
    /w has been silent/,
    async () => {
      const { id } = await build("silent", { ends: false });
      await spoilRows("UPDATE build SET lease_until = now() - interval '1 hour' WHERE id = $1", [
        id,
      ]);
    },
  ],
  [
    "R2",
    /repeats bld_.* goes on/,
    async () => {
      const { id } = await build("repeats");
      const { buildId } = await deploy(scope, iris("repeated"));
      await spoilRows("UPDATE build SET retry_of_id = $2 WHERE id = $1", [id, bare(buildId)]);
    },
  ],
  [
    "R3",
    /epochs of its history go back/,
    async () => {
      const { id } = await build("backward");
      await spoilRows(
        "UPDATE transition SET epoch = 9 WHERE build_id = $1 AND to_state = 'preparing'",
        [id],
      );
    },
  ],
  [
    "R3",
    /tells queued, it is failed/,
    async () => {
      const { buildId } = await deploy(scope, iris("untold"));
      await spoilRows(
        "UPDATE build SET state = 'failed', ended_at = now() - interval '2 days' WHERE id = $1",
        [bare(buildId)],
      );
    },
  ],
  [
    "R4",
    /2 artifacts/,
    async () => {
      const [one, two] = [await build("twice-a"), await build("twice-b")];
      await spoilRows("DROP INDEX artifact_one_sound");
      await spoilRows("UPDATE artifact SET plan_digest = $1 WHERE digest = $2", [
        one.artifact.planDigest,
        two.artifact.digest,
      ]);
    },
  ],
  [
    "R4",
    /told 0 times/,
    async () => {
      const { id } = await build("event-lost");
      await spoilRows("DELETE FROM event WHERE once_key = $1", [`build.ended:${id}`]);
    },
  ],
  [
    "R4",
    /2 deliveries/,
    async () => {
      const hook = {
        id: uuidv7(),
        projectId: scope,
        url: "http://127.0.0.1/",
        secret: "of the hook",
      };
      await database().webhook.create({ data: { ...hook, events: ["build.succeeded"] } });
      const { id } = await build("told-twice");
      await withTransaction((tx) => queueBuildEnd(tx, id));
    },
  ],
  [
    "R5",
    /claimed 1 times and has 0/,
    async () => {
      const { id } = await build("no-attempt");
      await spoilRows("DELETE FROM attempt WHERE build_id = $1", [id]);
    },
  ],
  [
    "R5",
    /a stage runs/,
    async () => {
      const { id } = await build("stage-runs");
      const stages = JSON.stringify([{ ...stage, state: "running" }]);
      await spoilRows("UPDATE attempt SET stages = $2 WHERE build_id = $1", [id, stages]);
    },
  ],
  [
    "R6",
    /its artifact is sha256:.*, that of its build/,
    async () => {
      const { revisionId } = await build("another-artifact");
      await spoilRows("UPDATE revision SET artifact_digest = 'sha256:0' WHERE id = $1", [
        revisionId,
      ]);
    },
  ],
  [
    "R6",
    /another digest/,
    async () => {
      const { artifact } = await build("flipped");
      const file = objectOf(buckets.artifacts, hexOf(artifact.manifest.files[0]?.digest ?? ""));
      const bytes = readFileSync(file);
      bytes[1] = (bytes[1] ?? 0) ^ 1;
      writeFileSync(file, bytes);
    },
  ],
  [
    "R6",
    /has 1 bytes, not/,
    async () => {
      const { artifact } = await build("cut");
      writeFileSync(
        objectOf(buckets.artifacts, hexOf(artifact.manifest.files[0]?.digest ?? "")),
        "x",
      );
    },
  ],
  [
    "R6",
    /not in the store/,
    async () => {
      const { artifact } = await build("removed");
      rmSync(objectOf(buckets.artifacts, hexOf(artifact.manifest.files[0]?.digest ?? "")));
    },
  ],
  [
    "R6",
    /^artifacts\/left-over: nothing names it/,
    async () => {
      await objectStore().put(buckets.artifacts, "left-over", Buffer.from("x"), { sizeBytes: 1 });
      const longAgo = Date.now() / 1000 - 3 * 24 * 3600;
      utimesSync(objectOf(buckets.artifacts, "left-over"), longAgo, longAgo);
    },
  ],
  [
    "R7",
    /it holds sha256:0/,
    async () => {
      const { revisionId } = await build("served");
      await spoilRows(
        "UPDATE slot SET state = 'serving', reported_revision_id = $2, reported_artifact_digest = 'sha256:0' WHERE id = $1",
        [slotId, revisionId],
      );
    },
  ],
  [
    "R8",
    /route of led-astray.*another endpoint/,
    async () => {
      const [{ revisionId }, { revisionId: theirs }] = [
        await build("led-astray"),
        await build("theirs"),
      ];
      await spoilRows(
        `INSERT INTO route (endpoint_id, project_id, split)
       SELECT endpoint_id, project_id, jsonb_build_array(jsonb_build_object('revisionId', $2::text, 'percent', 100))
       FROM revision WHERE id = $1`,
        [revisionId, theirs],
      );
    },
  ],
  [
    "R9",
    /it has a gap/,
    async () => {
      const { id } = await build("gap", { isMoved: false });
      await spoilRows("DELETE FROM log_chunk WHERE build_id = $1 AND seq = 1", [id]);
    },
  ],
  [
    "R9",
    /its rows have 3/,
    async () => {
      const { id } = await build("short", { isMoved: false });
      await spoilRows("DELETE FROM log_chunk WHERE build_id = $1 AND seq = 2", [id]);
    },
  ],
  [
    "R9",
    /5 lines, its index has 7/,
    async () => {
      const { id } = await build("index");
      await spoilRows(
        "UPDATE attempt SET log_index = jsonb_set(log_index, '{0,last}', '7') WHERE build_id = $1",
        [id],
      );
    },
  ],
  [
    "R9",
    /line 3 at byte 14 follows line 1/,
    async () => {
      const { id } = await build("line-lost");
      const file = objectOf(buckets.logs, `${id}/1.jsonl`);
      writeFileSync(file, readFileSync(file, "utf8").split("\n").toSpliced(1, 1).join("\n"));
    },
  ],
  [
    "R11",
    /no bld_/,
    () =>
      spoilRows(
        `INSERT INTO idempotency_key (project_id, key, body_sha256, status, answer) VALUES ($1, 'k', '', 202, '{"buildId": "bld_${other}"}')`,
        [scope],
      ),
  ],
  [
    "R12",
    /ended as succeeded/,
    async () => {
      const { id } = await build("not-cancelled");
      await spoilRows("UPDATE build SET cancel_requested_at = now() WHERE id = $1", [id]);
    },
  ],
  [
    "R13",
    /it is meant for nobody/,
    async () => {
      const { revisionId } = await build("owner");
      await spoilRows(
        "INSERT INTO slot_assignment (id, slot_id, revision_id, epoch) VALUES ($1, $2, $3, 0)",
        [uuidv7(), slotId, revisionId],
      );
    },
  ],
  [
    "R14",
    /waits for no job/,
    async () => {
      const { buildId } = await deploy(scope, iris("no-job"));
      await spoilRows("DELETE FROM outbox WHERE payload ->> 'buildId' = $1", [bare(buildId)]);
    },
  ],
  [
    "R14",
    /it waits since/,
    async () => {
      const { buildId } = await deploy(scope, iris("stuck"));
      await spoilRows(
        "UPDATE outbox SET created_at = now() - interval '1 hour' WHERE payload ->> 'buildId' = $1",
        [bare(buildId)],
      );
    },
  ],
  [
    "R15",
    /a build of another project/,
    async () => {
      const { id } = await build("foreign");
      await spoilRows("UPDATE artifact_reference SET project_id = $2 WHERE build_id = $1", [
        id,
        other,
      ]);
    },
  ],
  [
    "R17",
    /table build: a secret/,
    async () => {
      const { id } = await build("said");
      await spoilRows("UPDATE build SET endpoint_name = $2 WHERE id = $1", [
        id,
        `x${Buffer.from(secret).toString("hex")}`,
      ]);
    },
  ],
  [
    "R17",
    /gateway.log: secret 1 of 1/,
    async () => {
      // It lies across the pieces in which a file is read.
      writeFileSync(path.join(logFolder, "gateway.log"), `${"x".repeat(65_530)}${secret}\n`);
    },
  ],
  [
    "R17",
    /log of attempt 1 of bld_.*: secret 1/,
    async () => {
      const { id } = await build("said-in-log");
      const file = objectOf(buckets.logs, `${id}/1.jsonl`);
      writeFileSync(file, readFileSync(file, "utf8").replace("said 1", secret));
    },
  ],
];

describe("an audit", () => {
  it("finds nothing broken where nothing is, and says how much it looked at", async () => {
    for (const name of ["a", "b"]) await build(name);
    await build("rows", { isMoved: false });
    await build("under-way", { ends: false });
    await deploy(scope, iris("waiting"));
    const findings = await look();
    expect(brokenOf(findings)).toEqual([]);
    const checked = new Set(
      findings.filter((each) => each.checked > 0).map((each) => each.invariant),
    );
    const always = ["R1", "R2", "R3", "R4", "R5", "R6", "R9", "R13", "R14", "R15", "R17"];
    expect([...checked]).toEqual(expect.arrayContaining(always));
    expect(readdirSync(objectOf(buckets.logs, "")).length).toBe(2);
  });

  it("misses a build that was promised and is not there, and one that never ended", async () => {
    const { id } = await build("never-ends", { ends: false });
    const findings = brokenOf(await look({ promised: [`bld_${other}`, `bld_${id}`] }));
    expect(findings).toHaveLength(1);
    expect(findings[0]?.faults.toSorted()).toEqual(
      [`bld_${other}: it is lost`, `bld_${id}: it never ended, it is preparing`].toSorted(),
    );
  });

  it.each(breaks)("names what breaks %s: %s", async (invariant, fault, spoil) => {
    const told = (findings: readonly Finding[]) =>
      findings
        .filter((each) => each.invariant === invariant)
        .flatMap(({ faults }) => faults)
        .filter((text) => fault.test(text));
    expect(told(await look())).toEqual([]);
    await spoil();
    expect(told(await look())).toHaveLength(1);
  });
});
