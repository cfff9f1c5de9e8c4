import { spawn } from "node:child_process";
import { connect } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { backOff } from "../lib/back-off.mjs";
import { root } from "../lib/home.mjs";
import { Fixable } from "../lib/say.mjs";
import { prepareStorage } from "./storage.mjs";

/**
 * Starts Postgres, Redis and the object store unless variables name others, and starts each again, on its port and data,
 * when it ends. Answers the variables that reach them, and `stop`, which ends them last first.
 *
 * @param {object} home
 * @param {(text: string) => void} note
 * @param {{ onSpawn?: (name: string, pid: number) => void, onEnded?: (name: string, how: string) => void, onBack?: (name: string) => void, onLost?: (name: string) => void }} told
 *   `onLost` hears of a store that could not be brought back.
 */
export async function startStores(
  home,
  note = () => {},
  { onSpawn = () => {}, onEnded = () => {}, onBack = () => {}, onLost = () => {} } = {},
) {
  const variables = {};
  const mine = [];
  if (process.env.DATABASE_URL) variables.DATABASE_URL = process.env.DATABASE_URL;
  else {
    const { preparePostgres } = await import("./postgres.mjs");
    const postgres = await preparePostgres(home);
    mine.push(postgres);
    variables.DATABASE_URL = postgres.url;
  }
  if (process.env.REDIS_URL) variables.REDIS_URL = process.env.REDIS_URL;
  else {
    const { prepareRedis } = await import("./redis.mjs");
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

  const pids = new Map();
  const listeners = new Set();
  /** Stores that a test takes down, or that are being brought back. */
  const busy = new Set();
  let stopping = false;
  let keeper = hire();

  /** The keeper may be killed too: its stores die with it, and the next one starts them again. */
  function hire() {
    const hired = spawn(process.execPath, [join(root, "scripts/keeper.mjs")], {
      detached: true,
      stdio: ["pipe", "pipe", "inherit"],
      env: home.env,
    });
    onSpawn("keeper", hired.pid);
    createInterface({ input: hired.stdout }).on("line", (text) => {
      const event = JSON.parse(text);
      if (event.event === "started") {
        pids.set(event.name, event.pid);
        onSpawn(event.name, event.pid);
      }
      for (const listener of listeners) listener(event);
    });
    hired.stdin.on("error", () => {});
    hired.exited = new Promise((resolve) => hired.once("exit", resolve));
    void hired.exited.then(async () => {
      await pause(200);
      if (stopping) return;
      keeper = hire();
      for (const { name } of mine) {
        for (const listener of listeners)
          listener({ event: "ended", name, signal: "its keeper's end" });
      }
    });
    return hired;
  }

  const order = (stores) =>
    keeper.stdin.write(
      `${JSON.stringify({ start: stores.map((store) => ({ ...store, logFile: home.logFile(store.name) })) })}\n`,
    );

  /** The next end of a store. */
  function endOf(name) {
    const listener = {};
    const ended = new Promise((resolve) => {
      listener.hear = (event) => {
        if (event.name === name && ["ended", "failed"].includes(event.event)) resolve(event);
      };
      listeners.add(listener.hear);
    });
    return { ended, ignore: () => listeners.delete(listener.hear) };
  }

  /** Starts a store and waits until it listens; null then, else how it ended. */
  async function bringUp(store) {
    const gone = new AbortController();
    const { ended, ignore } = endOf(store.name);
    void ended.then(() => gone.abort());
    order([store]);
    try {
      return await Promise.race([ended, answersFor(store.port, gone.signal)]);
    } catch (error) {
      keeper.stdin.write(`${JSON.stringify({ kill: store.name })}\n`);
      await ended;
      return error;
    } finally {
      ignore();
    }
  }

  const offs = new Map(mine.map(({ name }) => [name, backOff()]));
  async function bringBack(store, how) {
    const off = offs.get(store.name);
    busy.add(store.name);
    try {
      for (let end = how; end !== null && !stopping; ) {
        const { first, nextMs } = off.ended(end.signal);
        if (first) onEnded(store.name, wordsOf(end));
        if (nextMs === null) return onLost(store.name);
        await pause(nextMs);
        if (stopping) return;
        off.started();
        end = await bringUp(store);
      }
      onBack(store.name);
    } finally {
      busy.delete(store.name);
    }
  }

  const firstEnds = await Promise.all(mine.map(bringUp));
  const failed = firstEnds.findIndex((end) => end !== null);
  if (failed >= 0) {
    const { name } = mine[failed];
    stopping = true;
    keeper.stdin.end();
    await keeper.exited;
    throw new Fixable(
      `${name} ended at once (${wordsOf(firstEnds[failed])}); its words are in ${home.logFile(name)}.`,
    );
  }
  listeners.add((event) => {
    if (!["ended", "failed"].includes(event.event) || event.stopping) return;
    const store = mine.find(({ name }) => name === event.name);
    if (stopping || busy.has(event.name) || !store) return;
    void bringBack(store, event);
  });
  return {
    variables,
    pids,
    storage: variables.S3_ENDPOINT ? "S3" : "folder",
    /** Kills one store and starts it again, `before` in between: for fault tests. */
    async restart(name, { before = async () => {} } = {}) {
      const store = mine.find((each) => each.name === name);
      busy.add(name);
      const { ended, ignore } = endOf(name);
      keeper.stdin.write(`${JSON.stringify({ kill: name })}\n`);
      await ended;
      ignore();
      await before();
      const end = await bringUp(store);
      busy.delete(name);
      if (end !== null) void bringBack(store, end);
    },
    async stop() {
      stopping = true;
      keeper.stdin.end();
      await keeper.exited;
    },
  };
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const wordsOf = ({ message, signal, code }) => message ?? signal ?? `status ${code}`;

/** Resolves to null once something listens on a port and goes on: a store whose port is another's ends a moment later. */
async function answersFor(port, gone) {
  await reachable(port, gone);
  await pause(300);
  return null;
}

/** Resolves once something listens on a loopback port; never, once `gone`. */
async function reachable(port, gone) {
  for (let tries = 0; tries < 600; tries++) {
    if (gone.aborted) return new Promise(() => {});
    const open = await new Promise((resolve) => {
      const socket = connect({ port, host: "127.0.0.1" });
      socket.once("connect", () => resolve(true));
      socket.once("error", () => resolve(false));
      socket.once("connect", () => socket.destroy());
    });
    if (open) return;
    await pause(50);
  }
  throw new Fixable(`Nothing answers on port ${port} after 30 s.`);
}
