import { readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Redis } from "ioredis";
import pg from "pg";
import { residentBytes } from "@/lib/server/process";
import { root } from "@/scripts/lib/home.mjs";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { median } from "./median";
import { askStanding, followOne, type Work } from "./storm/clients";
import { Ledger } from "./storm/ledger";

/**
 * A whole installation at work for an hour, without any fault: `npm run bench -- soak --minutes 60`. Two clients build a model, ask and
 * delete endpoints, two ask without end. What each process holds, what the stores hold beside their rows, each as the median of
 * the second and of the last quarter, and by how much it grew.
 */
const { values } = parseArgs({ options: { minutes: { type: "string", default: "60" } } });
const minutes = Number(values.minutes);
const builders = 2;
/** One build of a client begins so long after the one before. */
const betweenBuildsMs = 4000;
const sampleMs = 10_000;
const allowedGrowth = 0.05;
const say = (text: string) => process.stdout.write(`${text}\n`);

process.env["PATH"] = [process.env["PATH"], join(root, ".boardwalk/tools/bin")].join(delimiter);
const installation = await startInstallation("soak", {
  variables: { BOARD_SERVER_CPU_SLOTS: "32" },
});
const databaseUrl = installation.variables["DATABASE_URL"] ?? "";
const database = new pg.Client({ connectionString: databaseUrl, application_name: "soak" });
await database.connect();
const redis = new Redis(installation.variables["REDIS_URL"] ?? "");
const ledger = new Ledger(installation.home.at("ledger.json"));
const work: Work = {
  installation,
  gateways: [installation.gatewayUrl],
  ledger,
  seed: 1,
  realEvery: 40,
};
/** Every figure by its name, in the order of its samples. */
const samples = new Map<string, number[]>();

const stop = new AbortController();
const endsMs = performance.now() + minutes * 60_000;
let begun = 0;
let isSteady = false;
try {
  const asking = [1, 2].map(() => askStanding(work, stop.signal));
  const building = Array.from({ length: builders }, build);
  while (performance.now() < endsMs) {
    await delay(sampleMs);
    for (const [name, value] of await sample(installation))
      samples.set(name, [...(samples.get(name) ?? []), value]);
  }
  await Promise.all(building);
  stop.abort();
  await Promise.all(asking);
  isSteady = report();
} finally {
  redis.disconnect();
  await database.end();
  await installation.stop();
}
process.exit(isSteady && ledger.broken.length === 0 ? 0 : 1);

async function build(): Promise<void> {
  while (performance.now() < endsMs) {
    await Promise.all([
      followOne(work, begun++).catch((error: Error) => ledger.breaks(error.message)),
      delay(betweenBuildsMs),
    ]);
  }
}

async function sample({ processes, stores }: Installation): Promise<[string, number][]> {
  const all = [...processes.running].flatMap(([name, { pid }]) =>
    pid ? [[name, pid] as const] : [],
  );
  const each = [...all, ...stores.pids].flatMap(([name, pid]): [string, number][] => [
    [`${name}: memory, MiB`, residentBytes(pid) / 2 ** 20],
    [`${name}: open files`, readdirSync(`/proc/${pid}/fd`).length],
  ]);
  const { rows } = await database.query<{ connections: number; dead: number; bytes: number }>(`
    SELECT (SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database()) AS connections,
      sum(n_dead_tup)::float / greatest(1, sum(n_live_tup)) AS dead,
      sum(pg_total_relation_size(relid))::float / greatest(1, sum(n_live_tup)) AS bytes
    FROM pg_stat_user_tables`);
  const [{ connections = 0, dead = 0, bytes = 0 } = {}] = rows;
  return [
    ...each,
    ["Postgres: connections", connections],
    ["Postgres: bytes for each row", bytes],
    ["Postgres: dead rows for 100", 100 * dead],
    ["Redis: keys", await redis.dbsize()],
  ];
}

/** Prints each figure; true where none grew by more than is allowed. */
function report(): boolean {
  say(
    `${begun} builds and ${ledger.right} answers in ${minutes} min; ${ledger.broken.length} broken`,
  );
  for (const fault of ledger.broken) say(`  BROKEN ${fault}`);
  say(`${"".padEnd(32)} second quarter   last quarter   growth`);
  const grown = [...samples].map(([name, all]) => {
    const quarter = Math.floor(all.length / 4);
    const early = median(all.slice(quarter, 2 * quarter));
    const late = median(all.slice(-quarter));
    const growth = (late - early) / Math.max(1, early);
    say(
      `${name.padEnd(32)} ${early.toFixed(1).padStart(14)} ${late.toFixed(1).padStart(14)} ${(100 * growth).toFixed(1).padStart(7)} %`,
    );
    return growth;
  });
  return grown.every((growth) => growth <= allowedGrowth);
}
