// `npm run restore -- FILE`: makes the installation that a backup holds, in an empty data folder. It is made beside it and gets
// its name when all of it is there.
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { openHome, root } from "./lib/home.mjs";
import { takeHome } from "./lib/lock.mjs";
import { parseOptions } from "./lib/options.mjs";
import { runEntry } from "./lib/run-entry.mjs";
import { bold, end, Fixable, line, step } from "./lib/say.mjs";
import { moveCluster, removeCluster } from "./setup/postgres.mjs";
import { setUpEntries } from "./setup/set-up.mjs";
import { startStores } from "./setup/stores.mjs";

const { positionals } = parseOptions({ allowPositionals: true });

main().catch(end);

async function main() {
  const [given, ...others] = positionals;
  if (!given || others.length > 0) throw new Fixable("Name one file: npm run restore -- FILE");
  // npm goes to the checkout; INIT_CWD is where the person was.
  const file = resolve(process.env.INIT_CWD ?? "", given);
  if (!existsSync(file)) throw new Fixable(`There is no file ${file}.`);
  const target = resolve(process.env.BOARDWALK_HOME ?? join(root, ".boardwalk"));
  requireEmpty(target);

  const draft = `${target}.restoring`;
  const { lock } = await takeDraft(draft);
  let isRestored = false;
  try {
    isRestored = await restoreInto(openHome(draft), file, lock);
    if (isRestored) giveName(draft, target);
  } finally {
    if (!isRestored) {
      rmSync(draft, { recursive: true, force: true });
      removeCluster(draft);
    }
  }
  if (!isRestored) return;
  const variable = process.env.BOARDWALK_HOME ? `BOARDWALK_HOME=${target} ` : "";
  line(`\n${bold(target)} is restored. Start it: ${variable}npm start`);
}

function requireEmpty(folder) {
  if (!existsSync(folder) || readdirSync(folder).length === 0) return;
  throw new Fixable(
    `${folder} is not empty, and a backup is never restored over anything. Move it away, or set BOARDWALK_HOME to an empty folder.`,
  );
}

/** The folder to work in: what a killed restoration left in it goes. */
async function takeDraft(draft) {
  const { lock } = await takeHome(openHome(draft), {
    onWait: () => line(`Another restoration works in ${draft}: waiting for it.`),
  });
  for (const name of readdirSync(draft))
    if (name !== "run") rmSync(join(draft, name), { recursive: true, force: true });
  removeCluster(draft);
  return { lock };
}

/** Whether the backup is whole in the home then; if not, the reason was told. */
async function restoreInto(home, file, lock) {
  let isWanted = true;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(signal, () => {
      isWanted = false;
      process.exitCode = 130;
    });
  const bundles = await setUpEntries(home);
  let stores;
  await step("Empty stores", async (note) => {
    stores = await startStores(home, note, { onSpawn: lock.record });
    return `storage: ${stores.storage}`;
  });
  try {
    const { variables } = stores;
    if (!isWanted) return false;
    if (!(await runEntry(home, "restore", { bundles, variables, args: [file] }))) return false;
  } finally {
    await stores.stop();
  }
  const moved = home.at("run", "moved-settings.json");
  home.adoptSettings(JSON.parse(readFileSync(moved, "utf8")));
  rmSync(moved);
  lock.release();
  return true;
}

function giveName(draft, target) {
  requireEmpty(target);
  moveCluster(draft, target);
  try {
    renameSync(draft, target);
  } catch (error) {
    moveCluster(target, draft);
    if (error.code !== "EBUSY" && error.code !== "EXDEV") throw error;
    throw new Fixable(
      `${target} is a file system of its own, which cannot take a new name: set BOARDWALK_HOME to a folder in it, such as ${join(target, "boardwalk")}.`,
    );
  }
}
