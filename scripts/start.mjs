// `npm start`: sets up what is missing, starts everything, serves the portal, and on the first start deploys a sample model.
// `npm start -- --once` does the same, prints one prediction of the sample and ends.
import { readdirSync, rmSync } from "node:fs";
import { copiesOf } from "./lib/copies.mjs";
import { openHome, root } from "./lib/home.mjs";
import { takeHome } from "./lib/lock.mjs";
import { parseOptions } from "./lib/options.mjs";
import { ownerAddress, ownerVariables } from "./lib/owner.mjs";
import { isPortFree } from "./lib/ports.mjs";
import { watchLogs } from "./lib/rotate-logs.mjs";
import { killCommands, run } from "./lib/run.mjs";
import { deploySampleOnce, predictWithSample, tellEndpoints } from "./lib/sample.mjs";
import { bold, dim, duration, end, Fixable, line, step } from "./lib/say.mjs";
import { firstOwnerAddress } from "./lib/secret-links.mjs";
import { answers, startProcesses } from "./lib/stack.mjs";
import { startStack } from "./lib/start-stack.mjs";
import { processVariables } from "./lib/variables.mjs";
import { setUp } from "./setup/set-up.mjs";

const { once } = parseOptions({ options: { once: { type: "boolean" } } }).values;
const started = Date.now();

main().catch(end);

async function main() {
  const home = openHome();
  Object.assign(process.env, ownerVariables(home));
  const portalUrl = process.env.PORTAL_URL ?? `http://localhost:${process.env.PORTAL_PORT ?? 3000}`;
  const gatewayUrl =
    process.env.GATEWAY_URL ?? `http://localhost:${process.env.GATEWAY_HTTP_PORT ?? 8000}`;

  const { lock, serving } = await takeHome(home, {
    portalUrl,
    gatewayUrl,
    onWait: (state) => line(`Another Boardwalk is ${state} in ${home.path}: waiting for it.`),
  });
  if (serving) {
    if (once) await predictOnce(home, serving);
    else line(`Boardwalk runs already: ${ownerAddress(serving.portalUrl, process.env)}`);
    return;
  }
  process.on("exit", () => lock.release());
  await checkPorts();
  sweepOldFolders(home);
  watchLogs(home.at("logs"));

  line(bold("Boardwalk"));
  const stop = watchForStop(lock);
  const told = {
    onSpawn: lock.record,
    onEnded: (name, how) => stop.unlessWanted(`${name} ended (${how}): starting it again.`),
    onBack: (name) => stop.unlessWanted(`${name} is back.`),
    onLost: (name) =>
      stop.because(
        new Fixable(
          `${name} cannot be started again; its words are in ${home.logFile(name)}. What it served has been stopped.`,
        ),
      ),
  };

  const ready = await Promise.race([setUp(home, { stores: told }), stop.asked]).catch((error) => {
    if (!stop.wanted) throw error;
  });
  if (stop.wanted) {
    killCommands();
    if (stop.failure) throw stop.failure;
    line("\nStopped during set-up. Start again: it goes on from here.");
    process.exit(130);
  }
  const { bundles, stores } = ready;
  const variables = processVariables(home, stores);
  let failure = null;
  try {
    await step("Data", () => prepare(home, bundles, variables));
    const serving = () => lock.say("serving", stores.variables);
    await Promise.race([serve({ home, bundles, variables, stop, told, serving }), stop.asked]);
    if (!once) await stop.asked;
  } catch (error) {
    if (!stop.wanted) failure = error;
  }
  failure ??= stop.failure;
  if (!once || stop.wanted) line("\nStopping: requests finish, builds go back to the queue.");
  stop.because(null);
  await stop.processes?.stopAll();
  await stores.stop();
  if (failure) throw failure;
  if (once) line(dim(`\nDone in ${duration(Date.now() - started)}.`));
  process.exit(0);
}

/** Why and when to stop: a signal, or something that cannot be brought back. A second signal kills what is left. */
function watchForStop(lock) {
  let resolve = () => {};
  const stop = {
    wanted: false,
    failure: null,
    processes: null,
    asked: new Promise((done) => {
      resolve = done;
    }),
    because(failure) {
      if (stop.wanted) return;
      stop.wanted = true;
      stop.failure = failure;
      lock.say("stopping");
      resolve();
    },
    unlessWanted(words) {
      if (!stop.wanted) line(words);
    },
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => (stop.wanted ? stop.processes?.killAll() : stop.because(null)));
  }
  return stop;
}

/** Starts the processes; whatever its endpoints do, the installation serves. */
async function serve({ home, bundles, variables, stop, told, serving }) {
  await step("Portal, gateway, workers and a board server", async () => {
    await startStack({
      home,
      bundles,
      variables,
      startProcesses,
      answers,
      told,
      copies: copiesOf(process.env),
      onSpawned: (processes) => {
        stop.processes = processes;
      },
    });
  });
  const urls = { portalUrl: variables.PORTAL_URL, gatewayUrl: variables.GATEWAY_URL };
  if (once) return predictOnce(home, urls);
  serving();
  line(
    `\n${bold("Boardwalk")} serves ${bold(ownerAddress(urls.portalUrl, process.env))} ${dim(`after ${duration(Date.now() - started)}. Ctrl-C stops it.`)}`,
  );
  const firstOwner = await firstOwnerAddress(home, { bundles, variables }).catch(() => null);
  tellFirstOwner(firstOwner);
  try {
    if (await deploySampleOnce(home, urls.portalUrl)) {
      // The log of the sample's build ran past it.
      tellFirstOwner(firstOwner);
      await predictWithSample(urls.portalUrl, urls.gatewayUrl);
    } else await tellEndpoints(urls.portalUrl, urls.gatewayUrl);
  } catch (error) {
    stop.unlessWanted(`\n${error.message}\nBoardwalk serves all the same.`);
  }
}

function tellFirstOwner(address) {
  if (address === null) return;
  line(
    "\nNobody has an account yet. Open this address to be the owner; it is good once, for a day:",
  );
  line(`  ${bold(address)}`);
}

async function predictOnce(home, { portalUrl, gatewayUrl }) {
  await deploySampleOnce(home, portalUrl);
  await predictWithSample(portalUrl, gatewayUrl);
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

/** Temporary folders of versions whose processes did not put their names on them; none of those runs here now. */
function sweepOldFolders(home) {
  const old = /^(bw-cpu-|boardwalk-(upload|inspect|companions|sandbox)-)[A-Za-z0-9]{6}$/;
  for (const name of readdirSync(home.at("tmp"))) {
    if (old.test(name)) rmSync(home.at("tmp", name), { recursive: true, force: true });
  }
}

async function checkPorts() {
  const wanted = {
    PORTAL_PORT: process.env.PORTAL_PORT ?? 3000,
    GATEWAY_HTTP_PORT: process.env.GATEWAY_HTTP_PORT ?? 8000,
    GATEWAY_GRPC_PORT: process.env.GATEWAY_GRPC_PORT ?? 8001,
    GATEWAY_METRICS_PORT: process.env.GATEWAY_METRICS_PORT ?? 8002,
  };
  const copies = Object.entries(copiesOf(process.env)).flatMap(([name, ports]) =>
    Object.values(ports).map((port) => [name, port]),
  );
  for (const [name, port] of copies) {
    if (port !== "0" && !(await isPortFree(Number(port)))) {
      throw new Fixable(
        `Port ${port}, which ${name} takes, is in use by another program: stop it, or choose other ports for the first.`,
      );
    }
  }
  for (const [variable, port] of Object.entries(wanted)) {
    if (!(await isPortFree(Number(port)))) {
      throw new Fixable(
        `Port ${port} is in use by another program: stop it, or start with ${variable}=<a free port> npm start.`,
      );
    }
  }
}
