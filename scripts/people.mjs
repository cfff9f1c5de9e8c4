// `npm run people -- password-link EMAIL`: prints a link by which somebody sets another password, for an owner who forgot the only one.
import { parseOptions } from "./lib/options.mjs";
import { end, Fixable, line } from "./lib/say.mjs";
import { passwordAddress } from "./lib/secret-links.mjs";
import { processVariables } from "./lib/variables.mjs";
import { withKeptHome } from "./setup/kept-home.mjs";
import { setUpEntries } from "./setup/set-up.mjs";

const { positionals } = parseOptions({ allowPositionals: true });

main().catch(end);

async function main() {
  const [what, email, ...others] = positionals;
  if (what !== "password-link" || !email || others.length > 0)
    throw new Fixable("Name somebody: npm run people -- password-link EMAIL");
  await withKeptHome("making a link", async (home, { stores, portalUrl }) => {
    const { PORTAL_URL } = processVariables(home, { variables: stores });
    const variables = { ...stores, PORTAL_URL: portalUrl ?? PORTAL_URL };
    const address = await passwordAddress(home, email, {
      bundles: await setUpEntries(home),
      variables,
    });
    if (address === null)
      throw new Fixable(`Nobody has an account with the e-mail address ${email}.`);
    line("Open this address to set another password; it is good once, for a day:");
    line(address);
  });
}
