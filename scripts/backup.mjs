// `npm run backup -- FILE`: writes the installation of the data folder to one file, whether it serves or not.
import { resolve } from "node:path";
import { parseOptions } from "./lib/options.mjs";
import { runEntry } from "./lib/run-entry.mjs";
import { end, Fixable } from "./lib/say.mjs";
import { withKeptHome } from "./setup/kept-home.mjs";
import { setUpEntries } from "./setup/set-up.mjs";

const { positionals } = parseOptions({ allowPositionals: true });

main().catch(end);

async function main() {
  const [given, ...others] = positionals;
  if (!given || others.length > 0) throw new Fixable("Name one file: npm run backup -- FILE");
  // npm goes to the checkout; INIT_CWD is where the person was.
  const file = resolve(process.env.INIT_CWD ?? "", given);
  await withKeptHome("backing up", async (home, { stores }) => {
    await runEntry(home, "backup", {
      bundles: await setUpEntries(home),
      variables: stores,
      args: [file],
      input: JSON.stringify(home.movingSettings()),
    });
  });
}
