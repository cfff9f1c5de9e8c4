import { join } from "node:path";
import { root } from "./home.mjs";
import { ask } from "./run.mjs";
import { Fixable } from "./say.mjs";

/**
 * The address by which the first owner comes in, once; null where nobody signs in, or where there are people already.
 *
 * @param {object} home
 * @param {{ bundles: string, variables: Record<string, string> }} options
 * @returns {Promise<string | null>}
 */
export async function firstOwnerAddress(home, { bundles, variables }) {
  if (variables.BOARDWALK_ACCOUNTS !== "on") return null;
  return await linkOf("first-owner", [], { home, bundles, variables, path: "/invitation" });
}

/**
 * The address by which somebody sets another password, once; null where nobody has an account with this e-mail address.
 *
 * @param {object} home
 * @param {string} email
 * @param {{ bundles: string, variables: Record<string, string> }} options
 * @returns {Promise<string | null>}
 */
export const passwordAddress = async (home, email, { bundles, variables }) =>
  await linkOf("password-link", [email], { home, bundles, variables, path: "/new-password" });

/** What an entry prints is behind the number sign of the address, which no server sees. */
async function linkOf(entry, args, { home, bundles, variables, path }) {
  const code = await ask(
    process.execPath,
    [join(bundles, `scripts-entries-${entry}.mjs`), ...args],
    {
      cwd: root,
      env: { ...home.env, NODE_ENV: "production", BOARDWALK_HOME: home.path, ...variables },
    },
  );
  if (code === null) throw new Fixable("The link could not be made: is the database there?");
  return code.startsWith("bw_") ? `${variables.PORTAL_URL}${path}#${code}` : null;
}
