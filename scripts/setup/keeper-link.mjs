import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { root } from "../lib/home.mjs";

/** The process that keeps the stores (`scripts/keeper.mjs`), started again when it dies, and what it tells. */
export class KeeperLink {
  /** Process ids of the stores, by name. */
  pids = new Map();
  isClosing = false;
  #home;
  #names;
  #onSpawn;
  #listeners = new Set();
  #process;

  /** @param {string[]} names The stores that die with a keeper. */
  constructor(home, names, onSpawn) {
    this.#home = home;
    this.#names = names;
    this.#onSpawn = onSpawn;
    this.#process = this.#hire();
  }

  start(store) {
    this.#order({ start: [{ ...store, logFile: this.#home.logFile(store.name) }] });
  }

  kill(name) {
    this.#order({ kill: name });
  }

  listen(listener) {
    this.#listeners.add(listener);
  }

  /** The next end of a store. */
  endOf(name) {
    const listener = {};
    const ended = new Promise((resolve) => {
      listener.hear = (event) => {
        if (event.name === name && isEnd(event)) resolve(event);
      };
      this.#listeners.add(listener.hear);
    });
    return { ended, ignore: () => this.#listeners.delete(listener.hear) };
  }

  /** The keeper ends its stores, last first, and itself. */
  async close() {
    this.isClosing = true;
    this.#process.stdin.end();
    await this.#process.exited;
  }

  #order(order) {
    this.#process.stdin.write(`${JSON.stringify(order)}\n`);
  }

  #tell(event) {
    for (const listener of this.#listeners) listener(event);
  }

  #hire() {
    const hired = spawn(process.execPath, [join(root, "scripts/keeper.mjs")], {
      detached: true,
      stdio: ["pipe", "pipe", "inherit"],
      env: this.#home.env,
    });
    this.#onSpawn("keeper", hired.pid);
    createInterface({ input: hired.stdout }).on("line", (text) => {
      const event = JSON.parse(text);
      if (event.event === "started") {
        this.pids.set(event.name, event.pid);
        this.#onSpawn(event.name, event.pid);
      }
      this.#tell(event);
    });
    hired.stdin.on("error", () => {});
    hired.exited = new Promise((resolve) => hired.once("exit", resolve));
    void hired.exited.then(() => this.#replace());
    return hired;
  }

  /** The keeper may be killed too: its stores die with it, and the next one starts them again. */
  async #replace() {
    await pause(200);
    if (this.isClosing) return;
    this.#process = this.#hire();
    for (const name of this.#names) {
      this.#tell({ event: "ended", name, signal: "its keeper's end" });
    }
  }
}

/** Whether a store is not there any more, or never was. */
export const isEnd = ({ event }) => ["ended", "failed"].includes(event);
