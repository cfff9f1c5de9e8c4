// What a container runs: `migrate`, the name of one of our processes, `backup FILE`, `restore FILE`, `first-owner` and
// `password-link EMAIL`, which print an address that lets somebody in, `seal-again`, which seals stored secrets with a new key, or
// `health`, which says by its status whether that process is well. Each waits for what it needs, since not every compose lets one
// container wait for another.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { openHome, root } from "./lib/home.mjs";
import { ownerHeaders } from "./lib/owner.mjs";
import { run } from "./lib/run.mjs";
import { runEntry } from "./lib/run-entry.mjs";
import { end, Fixable, line } from "./lib/say.mjs";
import { firstOwnerAddress, passwordAddress } from "./lib/secret-links.mjs";
import { entries } from "./lib/stack.mjs";
import { enrolment } from "./lib/start-stack.mjs";
import { gatherVolumes, handOutVolumes, requireEmptyVolumes } from "./lib/volumes.mjs";

const patienceMs = 180_000;
const beatMs = 5000;
/** A process whose event loop has not turned for so long is not well. */
const silentMs = 30_000;

const movers = ["backup", "restore"];
const links = ["first-owner", "password-link"];
const oneShots = ["migrate", ...movers, ...links, "seal-again"];
const [role = "", ...given] = process.argv.slice(2);
const { BOARDWALK_BUNDLES: bundles } = process.env;
/** In the container's own memory: several containers of a role may share a data folder. */
const beatFile = "/tmp/boardwalk-role";

/** Where each process tells how it is. */
const statusPorts = {
  portal: process.env.PORTAL_METRICS_PORT || 8003,
  gateway: process.env.GATEWAY_METRICS_PORT || 8002,
  control: process.env.CONTROL_METRICS_PORT || 8004,
  "build-worker": process.env.WORKER_METRICS_PORT || 8005,
  "board-server": process.env.BOARD_SERVER_METRICS_PORT || 8006,
};

(role === "health" ? checkHealth() : main()).catch(end);

async function main() {
  const entry = entries.find(({ name }) => name === role);
  if (!entry && !oneShots.includes(role)) {
    throw new Fixable(
      `Name a role: ${[...oneShots, ...entries.map(({ name }) => name)].join(", ")}.`,
    );
  }
  const file = movers.includes(role) ? fileGiven() : "";
  const home = openHome();
  const temporary = process.env.TMPDIR || home.at("tmp");
  mkdirSync(temporary, { recursive: true, mode: 0o700 });
  Object.assign(process.env, home.env, {
    TMPDIR: temporary,
    BOARDWALK_SOURCE_DIGEST: readFileSync(join(bundles, "source-digest"), "utf8"),
  });
  for (const name of ["DATABASE_URL", "REDIS_URL", "S3_ENDPOINT"]) {
    if (process.env[name]) await listens(name, new URL(process.env[name]));
  }
  if (role === "migrate") {
    await import(bundleAt("scripts-entries-prepare.mjs"));
    return;
  }
  if (links.includes(role)) return await tellLink(home);
  if (role === "seal-again")
    return void (await runEntry(home, role, { bundles, variables: {}, args: [] }));
  if (role === "backup") return await backUp(home, file);
  if (role === "restore") return await restore(home, file);
  if (process.env.DATABASE_URL) {
    await run(process.execPath, [join(bundles, "scripts-entries-await-schema.mjs")], {
      cwd: root,
      env: process.env,
      logFile: home.logFile("await-schema"),
      fix: "The database is not of the version that this image works with. Run its role `migrate`.",
    });
  }
  if (role === "board-server") {
    await listens("PORTAL_URL", new URL(process.env.PORTAL_URL));
    Object.assign(process.env, await patiently(() => enrolment(process.env)));
  }
  process.setSourceMapsEnabled(true);
  await import(bundleAt(entry.bundle));
  const beat = () => writeFileSync(beatFile, role);
  beat();
  setInterval(beat, beatMs).unref();
}

/** An address that lets somebody in, once; in a container of the portal, which knows its address. */
async function tellLink(home) {
  const { PORTAL_URL, BOARDWALK_ACCOUNTS } = process.env;
  if (BOARDWALK_ACCOUNTS !== "on")
    throw new Fixable("Nobody signs in here: BOARDWALK_ACCOUNTS is not `on`.");
  const options = { bundles, variables: { PORTAL_URL, BOARDWALK_ACCOUNTS } };
  const [email, ...others] = given;
  if (role === "first-owner") {
    const address = await firstOwnerAddress(home, options);
    if (address === null)
      throw new Fixable("There are people already: ask one of them for an invitation.");
    line(`Open this address to be the owner; it is good once, for a day:\n${address}`);
    return;
  }
  if (!email || others.length > 0) throw new Fixable("Name somebody: password-link EMAIL");
  const address = await passwordAddress(home, email, options);
  if (address === null)
    throw new Fixable(`Nobody has an account with the e-mail address ${email}.`);
  line(`Open this address to set another password; it is good once, for a day:\n${address}`);
}

async function backUp(home, file) {
  gatherVolumes(home);
  const input = JSON.stringify(home.movingSettings());
  await runEntry(home, role, { bundles, variables: {}, args: [file], input });
}

async function restore(home, file) {
  if (!existsSync(file)) throw new Fixable(`There is no file ${basename(file)} in BACKUP_FOLDER.`);
  requireEmptyVolumes();
  if (await runEntry(home, role, { bundles, variables: {}, args: [file] })) handOutVolumes(home);
}

/** Where the file that is named lies in this container: `docker-compose.yml` shows it one folder of the machine. */
function fileGiven() {
  const [name = ""] = given;
  if (given.length === 1 && name === basename(name)) return join("/backups", name);
  throw new Fixable(`Name one file, without its folder, which is BACKUP_FOLDER: ${role} FILE`);
}

const bundleAt = (name) => pathToFileURL(join(bundles, name)).href;

/**
 * Says what the role of this container tells of itself, and ends with status 1 unless it turns its event loop and answers
 * where it should. That it lacks a store is said, and is no such fault.
 */
async function checkHealth() {
  if (!existsSync(beatFile)) throw new Fixable("The role has not started yet.");
  const beaten = readFileSync(beatFile, "utf8");
  const ageMs = Date.now() - statSync(beatFile).mtimeMs;
  if (ageMs > silentMs) throw new Fixable(`${beaten} has been silent for ${ageMs} ms.`);
  const url = {
    portal: `http://127.0.0.1:${process.env.PORTAL_PORT || 3000}/api/v1/engines`,
    gateway: `http://127.0.0.1:${process.env.GATEWAY_HTTP_PORT || 8000}/v2/health/live`,
  }[beaten];
  if (url) {
    const { status } = await fetch(url, {
      headers: ownerHeaders(),
      signal: AbortSignal.timeout(5000),
    });
    if (status !== 200) throw new Fixable(`${beaten} answers ${status}.`);
  }
  if (beaten === "board-server" && process.env.BOARD_SERVER_SOCKET) {
    await opens({ path: process.env.BOARD_SERVER_SOCKET });
  }
  const health = await fetch(`http://127.0.0.1:${statusPorts[beaten]}/healthz`, {
    signal: AbortSignal.timeout(5000),
  });
  line(`${health.status} ${(await health.text()).trim()}`);
}

async function listens(variable, { hostname: host, port }) {
  line(`${role} waits for ${host}:${port} (${variable})`);
  await patiently(() => opens({ host, port: Number(port) }));
}

function opens(address) {
  return new Promise((resolve, reject) => {
    const socket = connect(address);
    socket.setTimeout(5000, () => socket.destroy(new Error("it does not answer")));
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.destroy();
      resolve();
    });
  });
}

async function patiently(work) {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}
