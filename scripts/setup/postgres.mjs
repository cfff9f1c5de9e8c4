import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { letPass } from "../lib/home.mjs";
import { rememberedPort } from "../lib/ports.mjs";
import { run } from "../lib/run.mjs";
import { Fixable } from "../lib/say.mjs";
import { postgresPackage } from "./packages.mjs";

/** User and group that Postgres runs as: it refuses root. Null when we are not root. */
function otherUser() {
  if (process.getuid?.() !== 0) return null;
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const found = ["postgres", "nobody"]
    .map((name) => users.find((user) => user[0] === name))
    .find(Boolean);
  if (!found) {
    throw new Fixable(
      "Postgres refuses to run as root and there is no user `postgres`: run `useradd -r postgres`, or start Boardwalk as another user.",
    );
  }
  return { uid: Number(found[2]), gid: Number(found[3]), name: found[0] };
}

const canEnter = (folder, user) =>
  spawnSync("/bin/sh", ["-c", 'cd "$1"', "sh", folder], { uid: user.uid, gid: user.gid, cwd: "/" })
    .status === 0;

/** A copy that every user can run, one for all data folders of the machine. */
function copyBinaries(source) {
  const { version } = JSON.parse(readFileSync(join(source, "../package.json"), "utf8"));
  const copy = `/var/lib/boardwalk/postgres-${version}`;
  if (existsSync(copy)) return copy;
  const draft = `${copy}.${process.pid}`;
  cpSync(source, draft, { recursive: true, verbatimSymlinks: true });
  spawnSync("chmod", ["-R", "a+rX", draft]);
  try {
    renameSync(draft, copy);
  } catch {
    rmSync(draft, { recursive: true, force: true }); // another run was first
  }
  return copy;
}

/**
 * Finds the binaries and the data folder, making the cluster on first use. As root, where the other user may not enter
 * the checkout, binaries and data lie in a folder under /var/lib that it may.
 */
export async function preparePostgres(home) {
  const source = postgresPackage();
  if (!source) {
    throw new Fixable(
      `There are no Postgres binaries for ${process.platform}-${process.arch}. Start a Postgres 15 or newer and set DATABASE_URL.`,
    );
  }
  const user = otherUser();
  const { binaries, folder } = placeOf(home, source, user);
  makeRunnable(binaries);
  const data = join(folder, "data");
  mkdirSync(folder, { recursive: true });
  if (user) chownSync(folder, user.uid, user.gid);
  chmodSync(folder, 0o700);
  const password = home.secret("postgres");
  const passwordFile = join(folder, "password");
  setFormerAside({ folder, data, password, passwordFile });
  const env = {
    ...home.env,
    LC_ALL: "C",
    PGDATA: data,
    ...(user ? { HOME: folder, TMPDIR: folder } : {}),
  };
  const as = user ? { uid: user.uid, gid: user.gid } : {};
  if (!existsSync(join(data, "PG_VERSION"))) {
    writeFileSync(passwordFile, password, { mode: 0o600 });
    if (user) chownSync(passwordFile, user.uid, user.gid);
    await makeCluster(home, { binaries, data, passwordFile, cwd: folder, env, ...as });
  }
  const port = await rememberedPort(home, "postgres");
  const url = `postgresql://boardwalk:${password}@127.0.0.1:${port}/postgres`;
  return {
    name: "postgres",
    url,
    port,
    isUp: (gone) => takesSessions(url, gone),
    command: join(binaries, "bin/postgres"),
    args: serverArgs(data, port),
    cwd: folder,
    env,
    ...as,
    /** Fast shutdown. */
    stopSignal: "SIGINT",
  };
}

/** "The database system is starting up": it listens, and makes up for a crash. */
const startingUp = "57P03";

/** Resolves once it takes sessions, however long it recovers from a crash; or once `gone`. */
async function takesSessions(connectionString, gone) {
  const { default: pg } = await import("pg");
  while (!gone.aborted) {
    const client = new pg.Client({ connectionString });
    client.on("error", () => {});
    try {
      await client.connect();
      return await client.end();
    } catch (error) {
      // Whatever else is wrong, the first that works with it says in its own words.
      if (error.code !== startingUp) return;
      await pause(100);
    }
  }
}

/** Where the binaries and the cluster lie, so that the user that Postgres runs as may enter both. */
function placeOf(home, source, user) {
  const binaries = join(source, "native");
  if (user && home.ours) letPass(home.path, user.gid);
  if (!user || (canEnter(home.path, user) && canEnter(binaries, user)))
    return { binaries, folder: home.at("postgres") };
  const own = placeOutside(home.path);
  mkdirSync(own, { recursive: true });
  chmodSync("/var/lib/boardwalk", 0o711);
  letPass(own, user.gid);
  const copy = copyBinaries(binaries);
  if (!canEnter(copy, user)) {
    throw new Fixable(
      `The user ${user.name} cannot enter ${copy}. Clone Boardwalk into a folder that others may enter, such as /srv/boardwalk.`,
    );
  }
  return { binaries: copy, folder: `${own}/postgres` };
}

/** The folder of a data folder's cluster where it lies outside. */
const placeOutside = (homePath) =>
  `/var/lib/boardwalk/${createHash("sha256").update(homePath).digest("hex").slice(0, 12)}`;

/** Lets a cluster that lies outside follow its data folder to another name, which has none of its own. */
export function moveCluster(fromHome, toHome) {
  const [from, to] = [placeOutside(fromHome), placeOutside(toHome)];
  rmSync(to, { recursive: true, force: true });
  if (existsSync(from)) renameSync(from, to);
}

/** Removes the cluster of a data folder that goes, where it lies outside. */
export function removeCluster(homePath) {
  rmSync(placeOutside(homePath), { recursive: true, force: true });
}

function makeRunnable(binaries) {
  for (const name of ["postgres", "initdb", "pg_ctl"]) {
    try {
      chmodSync(join(binaries, "bin", name), 0o755);
    } catch {
      // Already so, or installed by somebody else.
    }
  }
}

/** Outside the data folder the cluster outlives it: one with another password is of a data folder that was removed. */
function setFormerAside({ folder, data, password, passwordFile }) {
  if (!existsSync(passwordFile) || readFileSync(passwordFile, "utf8") === password) return;
  const former = join(folder, "former-data");
  rmSync(former, { recursive: true, force: true });
  if (existsSync(data)) renameSync(data, former);
}

async function makeCluster(home, { binaries, data, passwordFile, ...options }) {
  await run(
    join(binaries, "bin/initdb"),
    [
      "-D",
      data,
      "-U",
      "boardwalk",
      "-A",
      "scram-sha-256",
      `--pwfile=${passwordFile}`,
      "-E",
      "UTF8",
      "--no-locale",
      "--no-sync",
    ],
    {
      ...options,
      logFile: home.logFile("initdb"),
      fix: "Postgres could not make its data folder. Set DATABASE_URL to a Postgres of your own, or set BOARDWALK_HOME to another folder.",
    },
  );
}

function serverArgs(data, port) {
  const settings = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "max_connections=120",
    "shared_buffers=64MB",
    "log_min_messages=warning",
  ];
  return ["-D", data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])];
}
