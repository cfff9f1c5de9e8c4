import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { backOff } from "../lib/back-off.mjs";
import { isPortFree } from "../lib/ports.mjs";
import { tail } from "../lib/run.mjs";
import { Fixable } from "../lib/say.mjs";
import { chooseStores } from "./choose-stores.mjs";
import { isEnd, KeeperLink } from "./keeper-link.mjs";
import { answersFor } from "./port-answers.mjs";

/**
 * Starts Postgres, Redis and the object store unless variables name others, and starts each again, on its port and data,
 * when it ends. A port that another server takes between its choice and its use is chosen anew. Answers the variables that
 * reach them, and `stop`, which ends them last first.
 *
 * @param {object} home
 * @param {(text: string) => void} note
 * @param {{ onSpawn?: (name: string, pid: number) => void, onEnded?: (name: string, how: string) => void, onBack?: (name: string) => void, onLost?: (name: string) => void }} told
 *   `onLost` hears of a store that could not be brought back.
 */
export async function startStores(home, note = () => {}, told = {}) {
  for (let choices = 3; ; choices--) {
    const { stores, failed } = await startOnce(home, note, told);
    if (!failed) return stores;
    const { store, end } = failed;
    if (choices > 1 && !(await isPortFree(store.port))) continue; // another server was faster
    const log = home.logFile(store.name);
    throw new Fixable(
      `${store.name} ended at once (${wordsOf(end)}); its words are in ${log}.\n\n${tail(readFileSync(log, "utf8"))}`,
    );
  }
}

/** Chooses the stores and starts them; `failed` is the first that did not come up, all others are stopped then. */
async function startOnce(
  home,
  note,
  { onSpawn = () => {}, onEnded = () => {}, onBack = () => {}, onLost = () => {} },
) {
  const { variables, mine } = await chooseStores(home, note);
  const names = mine.map(({ name }) => name);
  const keeper = new KeeperLink(home, names, onSpawn);
  const stores = new Stores(mine, keeper, { onEnded, onBack, onLost });
  const failed = await stores.start();
  if (failed) {
    await keeper.close();
    return { failed };
  }
  return { stores: reached(variables, keeper, stores) };
}

/** Resolves to null once a store works: some listen before they do. */
async function isUp(store, gone) {
  await answersFor(store.port, gone);
  await store.isUp?.(gone);
  return null;
}

/** What callers get: how the stores are reached, restarted and stopped. */
function reached(variables, keeper, stores) {
  return {
    variables,
    pids: keeper.pids,
    storage: variables.S3_ENDPOINT ? "S3" : "folder",
    /**
     * Kills one store and starts it again, `before` in between: for fault tests.
     *
     * @param {string} name
     * @param {{ before?: () => Promise<void> }} options
     */
    restart: (name, { before = async () => {} } = {}) => stores.restart(name, before),
    stop: () => keeper.close(),
  };
}

/** The stores that are ours: each is up, or being brought back. */
class Stores {
  #mine;
  #keeper;
  #told;
  #offs;
  /** Stores that a test takes down, or that are being brought back. */
  #busy = new Set();

  constructor(mine, keeper, told) {
    this.#mine = mine;
    this.#keeper = keeper;
    this.#told = told;
    this.#offs = new Map(mine.map(({ name }) => [name, backOff()]));
  }

  /** Brings all up, and from then on back; else answers which one ended, and how. */
  async start() {
    const ends = await Promise.all(this.#mine.map((store) => this.#bringUp(store)));
    const failed = ends.findIndex((end) => end !== null);
    if (failed >= 0) return { store: this.#mine[failed], end: ends[failed] };
    this.#keeper.listen((event) => this.#hear(event));
    return null;
  }

  async restart(name, before) {
    const store = this.#mine.find((each) => each.name === name);
    this.#busy.add(name);
    const { ended, ignore } = this.#keeper.endOf(name);
    this.#keeper.kill(name);
    await ended;
    ignore();
    await before();
    const end = await this.#bringUp(store);
    this.#busy.delete(name);
    if (end !== null) void this.#bringBack(store, end);
  }

  #hear(event) {
    if (!isEnd(event) || event.stopping) return;
    const store = this.#mine.find(({ name }) => name === event.name);
    if (this.#keeper.isClosing || this.#busy.has(event.name) || !store) return;
    void this.#bringBack(store, event);
  }

  /** Starts a store and waits until it is up; null then, else how it ended. */
  async #bringUp(store) {
    const gone = new AbortController();
    const { ended, ignore } = this.#keeper.endOf(store.name);
    void ended.then(() => gone.abort());
    this.#keeper.start(store);
    try {
      return await Promise.race([ended, isUp(store, gone.signal)]);
    } catch (error) {
      this.#keeper.kill(store.name);
      await ended;
      return error;
    } finally {
      ignore();
    }
  }

  async #bringBack(store, how) {
    const { onEnded, onBack, onLost } = this.#told;
    const off = this.#offs.get(store.name);
    this.#busy.add(store.name);
    try {
      for (let end = how; end !== null && !this.#keeper.isClosing; ) {
        const { first, nextMs } = off.ended(end.signal);
        if (first) onEnded(store.name, wordsOf(end));
        if (nextMs === null) return onLost(store.name);
        await pause(nextMs);
        if (this.#keeper.isClosing) return;
        off.started();
        end = await this.#bringUp(store);
      }
      onBack(store.name);
    } finally {
      this.#busy.delete(store.name);
    }
  }
}

const wordsOf = ({ message, signal, code }) => message ?? signal ?? `status ${code}`;
