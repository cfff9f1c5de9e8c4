// `npm run setup`: lists what may be installed beyond what `npm start` needs; `npm run setup -- NAME…` installs it.
import { openHome } from "./lib/home.mjs";
import { end, line, step } from "./lib/say.mjs";
import { installPeers } from "./setup/peers.mjs";

/** Name → what it is good for, and what installs it into the data folder. */
const parts = {
  peers: { unlocks: "other model servers, for `npm run bench -- gateway`", install: installPeers },
};

main().catch(end);

async function main() {
  const names = process.argv.slice(2);
  if (names.length === 0 || names.some((name) => !Object.hasOwn(parts, name))) {
    line("npm run setup -- NAME…, of:");
    for (const [name, { unlocks }] of Object.entries(parts)) line(`  ${name}: ${unlocks}`);
    process.exit(names.length === 0 ? 0 : 2);
  }
  const home = openHome();
  for (const name of names) await step(name, (note) => parts[name].install(home, note));
}
