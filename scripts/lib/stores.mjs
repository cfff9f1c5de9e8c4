import { spawn } from "node:child_process";
import { connect } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { prepareStorage } from "../setup/storage.mjs";
import { root } from "./home.mjs";
import { Fixable } from "./say.mjs";

/**
 * Starts Postgres, Redis and the object store unless variables name others. Answers the variables that reach them, and
 * `stop`, which ends them last first.
 */
export async function startStores(home, note = () => {}) {
  const variables = {};
  const mine = [];
  if (process.env.DATABASE_URL) variables.DATABASE_URL = process.env.DATABASE_URL;
  else {
    const { preparePostgres } = await import("../setup/postgres.mjs");
    const postgres = await preparePostgres(home);
    mine.push(postgres);
    variables.DATABASE_URL = postgres.url;
  }
  if (process.env.REDIS_URL) variables.REDIS_URL = process.env.REDIS_URL;
  else {
    const { prepareRedis } = await import("../setup/redis.mjs");
    const redis = await prepareRedis(home, note);
    mine.push(redis);
    variables.REDIS_URL = redis.url;
  }
  const given = ["S3_ENDPOINT", "S3_ACCESS_KEY", "S3_SECRET_KEY", "S3_REGION", "STORAGE_DIR"];
  if (process.env.S3_ENDPOINT || process.env.STORAGE_DIR) {
    for (const name of given) if (process.env[name]) variables[name] = process.env[name];
  } else {
    const storage = await prepareStorage(home);
    if (storage.command) mine.push(storage);
    Object.assign(variables, storage.variables);
  }

  const keeper = spawn(process.execPath, [join(root, "scripts/keeper.mjs")], {
    detached: true,
    stdio: ["pipe", "pipe", "inherit"],
    env: home.env,
  });
  const pids = new Map();
  const listeners = new Set();
  createInterface({ input: keeper.stdout }).on("line", (text) => {
    const event = JSON.parse(text);
    if (event.event === "started") pids.set(event.name, event.pid);
    for (const listener of listeners) listener(event);
  });
  keeper.stdin.on("error", () => {});
  const order = (stores) =>
    keeper.stdin.write(
      `${JSON.stringify({ start: stores.map((store) => ({ ...store, logFile: home.logFile(store.name) })) })}\n`,
    );
  const exited = new Promise((resolve) => keeper.once("exit", resolve));
  const failed = new Promise((_, reject) => {
    listeners.add((event) => {
      if (event.event === "ended" && !event.stopping && !restarting.has(event.name)) {
        reject(
          new Fixable(
            `${event.name} ended at once (${event.signal ?? `status ${event.code}`}); its words are in ${home.logFile(event.name)}.`,
          ),
        );
      }
    });
  });
  const restarting = new Set();
  failed.catch(() => {});
  order(mine);
  await Promise.race([failed, Promise.all(mine.map((store) => reachable(store.port)))]);
  return {
    variables,
    pids,
    storage: variables.S3_ENDPOINT ? "S3" : "folder",
    /** Kills one store and starts it again, `before` in between: for fault tests. */
    async restart(name, { before = async () => {} } = {}) {
      const store = mine.find((each) => each.name === name);
      restarting.add(name);
      const ended = new Promise((resolve) => {
        const listener = (event) => {
          if (event.event !== "ended" || event.name !== name) return;
          listeners.delete(listener);
          resolve();
        };
        listeners.add(listener);
      });
      keeper.stdin.write(`${JSON.stringify({ kill: name })}\n`);
      await ended;
      await before();
      order([store]);
      await reachable(store.port);
      restarting.delete(name);
    },
    onEnded(listener) {
      listeners.add((event) => {
        if (event.event === "ended" && !event.stopping && !restarting.has(event.name))
          listener(event);
      });
    },
    async stop() {
      keeper.stdin.end();
      await exited;
    },
  };
}

/** Resolves once something listens on a loopback port. */
async function reachable(port) {
  for (let tries = 0; tries < 600; tries++) {
    const open = await new Promise((resolve) => {
      const socket = connect({ port, host: "127.0.0.1" });
      socket.once("connect", () => resolve(true));
      socket.once("error", () => resolve(false));
      socket.once("connect", () => socket.destroy());
    });
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Fixable(`Nothing answers on port ${port} after 30 s.`);
}
