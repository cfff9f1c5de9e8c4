// `npm run dev`: the same processes with pages compiled on demand and the other entries bundled again when a source changes.
import { watch } from "node:fs";
import { join } from "node:path";
import { bundle } from "./bundle.mjs";
import { openHome, root } from "./lib/home.mjs";
import { ownerAddress, ownerVariables } from "./lib/owner.mjs";
import { end, line, step } from "./lib/say.mjs";
import { answers, startProcesses } from "./lib/stack.mjs";
import { startStack } from "./lib/start-stack.mjs";
import { processVariables } from "./lib/variables.mjs";
import { setUp } from "./setup/set-up.mjs";

main().catch(end);

async function main() {
  const home = openHome();
  Object.assign(process.env, ownerVariables(home));
  const { bundles, stores } = await setUp(home, { pages: false });
  const variables = { ...processVariables(home, stores), NODE_ENV: "development" };
  const { run } = await import("./lib/run.mjs");
  await step("Data", () =>
    run(process.execPath, [`${bundles}/scripts-entries-prepare.mjs`], {
      cwd: root,
      env: { ...home.env, BOARDWALK_HOME: home.path, ...variables },
      logFile: home.logFile("prepare"),
      fix: "The database could not be brought up to date.",
    }),
  );
  let processes = await startStack({ home, bundles, variables, startProcesses, answers });
  line(
    `Boardwalk for developers: ${ownerAddress(variables.PORTAL_URL, variables)}. Process logs: ${home.at("logs")}`,
  );
  let stopping = false;
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.on(signal, async () => {
      if (stopping) process.exit(1);
      stopping = true;
      await processes.stopAll(5000);
      await stores.stop();
      process.exit(0);
    });
  }
  let timer;
  for (const folder of [
    "lib",
    "domain",
    "engines",
    "compiler",
    "simulator",
    "boards",
    "workers",
    "gateway",
    "board-server",
    "portal",
  ]) {
    watch(join(root, folder), { recursive: true }, () => {
      clearTimeout(timer);
      timer = setTimeout(async () => {
        const fresh = await bundle().catch((error) => line(error.message));
        if (!fresh || stopping) return;
        line("Sources changed: starting the processes again.");
        await processes.stopAll(5000);
        processes = await startStack({ home, bundles: fresh, variables, startProcesses, answers });
      }, 300);
    });
  }
}
