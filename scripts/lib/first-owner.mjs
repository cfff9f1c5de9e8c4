import { join } from "node:path";
import { root } from "./home.mjs";
import { ask } from "./run.mjs";

/**
 * The address by which the first owner comes in, once; null where nobody signs in, or where there are people already.
 *
 * @param {object} home
 * @param {{ bundles: string, variables: Record<string, string> }} options
 * @returns {Promise<string | null>}
 */
export async function firstOwnerAddress(home, { bundles, variables }) {
  if (variables.BOARDWALK_ACCOUNTS !== "on") return null;
  const entry = join(bundles, "scripts-entries-first-owner.mjs");
  const code = await ask(process.execPath, [entry], {
    cwd: root,
    env: { ...home.env, NODE_ENV: "production", BOARDWALK_HOME: home.path, ...variables },
  });
  return code?.startsWith("bw_invite_") ? `${variables.PORTAL_URL}/invitation#${code}` : null;
}
