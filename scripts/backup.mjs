// `npm run backup -- FILE`: writes the installation of the data folder to one file, whether it serves or not.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { openHome, root } from "./lib/home.mjs";
import { takeHome } from "./lib/lock.mjs";
import { parseOptions } from "./lib/options.mjs";
import { runEntry } from "./lib/run-entry.mjs";
import { end, Fixable, line } from "./lib/say.mjs";
import { setUpEntries } from "./setup/set-up.mjs";
import { startStores } from "./setup/stores.mjs";

const { positionals } = parseOptions({ allowPositionals: true });

main().catch(end);

async function main() {
  const [given, ...others] = positionals;
  if (!given || others.length > 0) throw new Fixable("Name one file: npm run backup -- FILE");
  // npm goes to the checkout; INIT_CWD is where the person was.
  const file = resolve(process.env.INIT_CWD ?? "", given);
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
  if (serving) return await write(home, file, storesOf(serving));
  lock.say("backing up");
  process.on("exit", () => lock.release());
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
  const stores = await startStores(home, () => {}, { onSpawn: lock.record });
  try {
    await write(home, file, stores.variables);
  } finally {
    await stores.stop();
  }
}

function storesOf({ stores }) {
  if (stores) return stores;
  throw new Fixable(
    "The Boardwalk that runs there is of an older version, which does not say where its stores are: stop it, back up, and start it again.",
  );
}

async function write(home, file, variables) {
  await runEntry(home, "backup", {
    bundles: await setUpEntries(home),
    variables,
    args: [file],
    input: JSON.stringify(home.movingSettings()),
  });
}
