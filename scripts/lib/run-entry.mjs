import { spawn } from "node:child_process";
import { join } from "node:path";
import { root } from "./home.mjs";

/**
 * Runs a bundled entry of `scripts/entries` to its end, on this terminal. Where it fails, it has said why, and this process
 * ends with its status once what is under way here is over.
 *
 * @param {object} home
 * @param {string} name
 * @param {{ bundles: string, variables: Record<string, string>, args: readonly string[], input?: string }} options
 * @returns {Promise<boolean>} Whether it ended well.
 */
export async function runEntry(home, name, { bundles, variables, args, input = "" }) {
  const child = spawn(process.execPath, [join(bundles, `scripts-entries-${name}.mjs`), ...args], {
    cwd: root,
    stdio: ["pipe", "inherit", "inherit"],
    env: { ...home.env, NODE_ENV: "production", BOARDWALK_HOME: home.path, ...variables },
  });
  // Ctrl-C reaches it by itself.
  const pass = (signal) => child.kill(signal);
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, pass);
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const code = await new Promise((done, fail) => {
    child.once("error", fail);
    child.once("close", (status) => done(status ?? 1));
  });
  for (const signal of ["SIGTERM", "SIGHUP"]) process.off(signal, pass);
  if (code !== 0) process.exitCode = code;
  return code === 0;
}
