// `npm run connections -- seal-again`: seals all stored secrets with the first key of the key file, after a new one was put there.
import { parseOptions } from "./lib/options.mjs";
import { runEntry } from "./lib/run-entry.mjs";
import { end, Fixable } from "./lib/say.mjs";
import { withKeptHome } from "./setup/kept-home.mjs";
import { setUpEntries } from "./setup/set-up.mjs";

const { positionals } = parseOptions({ allowPositionals: true });

main().catch(end);

async function main() {
  const [what, ...others] = positionals;
  if (what !== "seal-again" || others.length > 0)
    throw new Fixable("Say what to do: npm run connections -- seal-again");
  await withKeptHome("sealing secrets again", async (home, { stores }) => {
    const bundles = await setUpEntries(home);
    await runEntry(home, "seal-again", { bundles, variables: stores, args: [] });
  });
}
