// `npm run audit [-- --ledger FILE] [-- --json]`: looks into the installation, running or stopped, whether everything holds
// that rows, objects and logs can tell of what was promised; prints counts and ends with status 1 where something is broken.
// A ledger is a list in JSON of ids of builds that were acknowledged: each must be there, and have ended.
import { spawn } from "node:child_process";
import { join, resolve } from "node:path";
import { bundle } from "./bundle.mjs";
import { openHome, root } from "./lib/home.mjs";
import { takeHome } from "./lib/lock.mjs";
import { parseOptions } from "./lib/options.mjs";
import { ownerVariables } from "./lib/owner.mjs";
import { end, line } from "./lib/say.mjs";
import { startStores } from "./setup/stores.mjs";

const { ledger, json } = parseOptions({
  options: { ledger: { type: "string" }, json: { type: "boolean" } },
}).values;

main().catch(end);

async function main() {
  const home = openHome();
  const { lock, serving } = await takeHome(home, {
    portalUrl: "",
    gatewayUrl: "",
    onWait: (state) => line(`Boardwalk is ${state} in ${home.path}: waiting for it.`),
  });
  const args = [
    ...(serving ? ["--running"] : []),
    ...(ledger ? ["--ledger", resolve(ledger)] : []),
    ...(json ? ["--json"] : []),
  ];
  // One that runs has its stores up; one that is stopped lends them for as long as this takes.
  const stores = serving ? null : await startStores(home);
  try {
    process.exitCode = await look(home, args, stores?.variables ?? home.remembered("stores"));
  } finally {
    await stores?.stop();
    lock?.release();
  }
}

async function look(home, args, variables) {
  const child = spawn(
    process.execPath,
    ["--enable-source-maps", join(await bundle(), "scripts-entries-audit.mjs"), ...args],
    {
      cwd: root,
      stdio: ["ignore", "inherit", "inherit"],
      env: {
        ...home.env,
        NODE_ENV: "production",
        BOARDWALK_HOME: home.path,
        ...ownerVariables(home),
        ...variables,
      },
    },
  );
  return await new Promise((done) => child.once("exit", (code) => done(code ?? 1)));
}
