import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { openHome, root } from "../lib/home.mjs";
import { takeHome } from "../lib/lock.mjs";
import { Fixable, line } from "../lib/say.mjs";
import { startStores } from "./stores.mjs";

/**
 * Does something with an installation of `npm start`, whether it serves or not: its stores run meanwhile.
 *
 * @param {string} doing As others are told who wait for it.
 * @param {(home: object, found: { stores: object, portalUrl?: string }) => Promise<void>} work
 */
export async function withKeptHome(doing, work) {
  const folder = resolve(process.env.BOARDWALK_HOME ?? join(root, ".boardwalk"));
  if (!existsSync(join(folder, "run/settings.json"))) {
    throw new Fixable(
      `There is no installation in ${folder}. Set BOARDWALK_HOME to the data folder of one.`,
    );
  }
  const home = openHome(folder);
  const { lock, serving } = await takeHome(home, {
    onWait: (state) => line(`Boardwalk is ${state} in ${home.path}: waiting for it.`),
  });
  if (serving) {
    if (!serving.stores)
      throw new Fixable(
        "The Boardwalk that runs there is of an older version, which does not say where its stores are: stop it, and try again.",
      );
    return await work(home, { stores: serving.stores, portalUrl: serving.portalUrl });
  }
  lock.say(doing);
  process.on("exit", () => lock.release());
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
  const stores = await startStores(home, () => {}, { onSpawn: lock.record });
  try {
    await work(home, { stores: stores.variables });
  } finally {
    await stores.stop();
  }
}
