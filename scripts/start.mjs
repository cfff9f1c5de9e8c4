// `npm start`: sets up what is missing, starts everything, deploys the sample model and serves the portal.
// `npm start -- --once` does the same, prints one prediction and ends.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { openHome, root } from "./lib/home.mjs";
import { isPortFree } from "./lib/ports.mjs";
import { killCommands, run } from "./lib/run.mjs";
import { deploySample, showPrediction } from "./lib/sample.mjs";
import { bold, dim, duration, end, Fixable, line, step } from "./lib/say.mjs";
import { setUp } from "./lib/setup.mjs";
import { answers, startProcesses } from "./lib/stack.mjs";
import { startStack } from "./lib/start-stack.mjs";
import { processVariables } from "./lib/variables.mjs";

const once = process.argv.includes("--once");
const started = Date.now();

main().catch(end);

async function main() {
  const home = openHome();
  const portalPort = Number(process.env.PORTAL_PORT ?? 3000);
  const portalUrl = process.env.PORTAL_URL ?? `http://localhost:${portalPort}`;

  const other = runningLauncher(home);
  if (other && !once) {
    line(`Boardwalk runs already: ${other.portalUrl}`);
    return;
  }
  if (other) {
    await predictOnce(other.portalUrl, other.gatewayUrl);
    return;
  }
  await checkPorts();

  line(bold("Boardwalk"));
  const stop = { wanted: false, now: () => {} };
  const interrupted = new Promise((resolve) => {
    stop.now = resolve;
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => {
      if (stop.wanted) {
        stop.processes?.killAll();
        return;
      }
      stop.wanted = true;
      stop.now(signal);
    });
  }

  const ready = await Promise.race([setUp(home), interrupted]).catch((error) => {
    if (!stop.wanted) throw error;
  });
  if (stop.wanted) {
    killCommands();
    line("\nStopped during set-up. Start again: it goes on from here.");
    process.exit(130);
  }
  const { bundles, stores } = ready;
  const variables = processVariables(home, stores);
  const lock = home.at("run", "launcher.json");
  let failure = null;
  try {
    await step("Data", () => prepare(home, bundles, variables));
    writeFileSync(
      lock,
      JSON.stringify({ pid: process.pid, portalUrl, gatewayUrl: variables.GATEWAY_URL }),
    );
    await Promise.race([serve(home, { bundles, stores, variables, portalUrl, stop }), interrupted]);
    if (!once && !stop.wanted) {
      line(
        `\n${bold("Boardwalk")} serves ${bold(portalUrl)} ${dim(`after ${duration(Date.now() - started)}. Ctrl-C stops it.`)}`,
      );
      await interrupted;
    }
  } catch (error) {
    if (!stop.wanted) failure = error;
  }
  if (!once || stop.wanted) line("\nStopping: requests finish, builds go back to the queue.");
  stop.wanted = true;
  await stop.processes?.stopAll();
  await stores.stop();
  rmSync(lock, { force: true });
  if (failure) throw failure;
  if (once) line(dim(`\nDone in ${duration(Date.now() - started)}.`));
  process.exit(0);
}

/** Starts the processes and brings the sample up. */
async function serve(home, { bundles, stores, variables, portalUrl, stop }) {
  stores.onEnded(({ name }) => {
    if (stop.wanted) return;
    line(`${name} ended; its words are in ${home.logFile(name)}. Start Boardwalk again.`);
    stop.wanted = true;
    stop.now("store");
  });
  await step("Portal, gateway, workers and a board server", async () => {
    await startStack({
      home,
      bundles,
      variables,
      startProcesses,
      answers,
      onSpawned: (processes) => {
        stop.processes = processes;
      },
    });
  });
  const endpoint = await deploySample(portalUrl);
  await showPrediction(variables.GATEWAY_URL, endpoint);
}

async function predictOnce(portalUrl, gatewayUrl) {
  const endpoint = await deploySample(portalUrl);
  await showPrediction(gatewayUrl, endpoint);
}

/** Migrations, buckets, the owner's project and the sample models. */
async function prepare(home, bundles, variables) {
  await run(process.execPath, [`${bundles}/scripts-entries-prepare.mjs`], {
    cwd: root,
    env: { ...home.env, NODE_ENV: "production", BOARDWALK_HOME: home.path, ...variables },
    logFile: home.logFile("prepare"),
    fix: "The database could not be brought up to date.",
  });
}

/** The launcher that runs on this data folder, if one does. */
function runningLauncher(home) {
  const lock = home.at("run", "launcher.json");
  if (!existsSync(lock)) return null;
  try {
    const entry = JSON.parse(readFileSync(lock, "utf8"));
    process.kill(entry.pid, 0);
    const command = readFileSync(`/proc/${entry.pid}/cmdline`, "utf8");
    return command.includes("start.mjs") ? entry : null;
  } catch {
    return null;
  }
}

async function checkPorts() {
  const wanted = {
    PORTAL_PORT: process.env.PORTAL_PORT ?? 3000,
    GATEWAY_HTTP_PORT: process.env.GATEWAY_HTTP_PORT ?? 8000,
    GATEWAY_GRPC_PORT: process.env.GATEWAY_GRPC_PORT ?? 8001,
    GATEWAY_METRICS_PORT: process.env.GATEWAY_METRICS_PORT ?? 8002,
  };
  for (const [variable, port] of Object.entries(wanted)) {
    if (!(await isPortFree(Number(port)))) {
      throw new Fixable(
        `Port ${port} is in use by another program: stop it, or start with ${variable}=<a free port> npm start.`,
      );
    }
  }
}
