// `npm run test:containers`: brings docker-compose.yml up as it stands with two build workers, looks how containers are
// confined, deploys through the published portal, predicts through the published gateway, kills a worker in a build, starts
// containers anew, backs up, restores into new volumes, predicts again, and takes everything down. As root on Debian, since
// it makes its images of Debian's packages: no registry of images is asked. Between two runs only Debian's base is kept, in
// the data folder; `--keep` keeps the images too.
import { randomBytes } from "node:crypto";
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { openHome, root } from "./lib/home.mjs";
import { parseOptions } from "./lib/options.mjs";
import { ownerHeaders } from "./lib/owner.mjs";
import { freePort } from "./lib/ports.mjs";
import { ask } from "./lib/run.mjs";
import { deploySampleOnce, predictWithSample } from "./lib/sample.mjs";
import { end, Fixable, line, step } from "./lib/say.mjs";
import { openly } from "./lib/umask.mjs";
import { installFromDebian } from "./setup/redis.mjs";
import { installStorage } from "./setup/test-tools.mjs";
import { expectConfined } from "./test-containers/confinement.mjs";
import { openContainers, roles, stores, until } from "./test-containers/installation.mjs";

const { keep } = parseOptions({ options: { keep: { type: "boolean" } } }).values;
const programs = ["podman", "podman-compose", "runc", "mmdebstrap"];
/** Libraries and helpers that are no programs on PATH. */
const helpers = ["netavark", "aardvark-dns", "iptables", "containernetworking-plugins"];
const project = "boardwalk-test-containers";
/** Whom the processes of our image are, as `Dockerfile` says. */
const imageUser = 10001;
const image = (name) => `localhost/${project}-${name}`;
/** All that stay up, with their numbers. */
const all = [...[...stores, ...roles].map((name) => [name, 1]), ["build-worker", 2]];

const home = openHome(join(root, ".boardwalk"));
const folder = mkdtempSync(home.at("tmp", "containers-"));
const environment = { ...process.env };
const containers = openContainers({ home, project, environment });
const { command, compose, podman, tell, nameOf, healthy, lacksNothing } = containers;

main().catch(end);

async function main() {
  if (process.getuid?.() !== 0 || !existsSync("/etc/debian_version")) {
    throw new Fixable(
      "The test of containers makes images of Debian's packages: run it as root on Debian.",
    );
  }
  try {
    await step("Programs from Debian", installPrograms);
    await prepareEnvironment();
    const before = await whatIsThere();
    try {
      await step("Images of Debian, Node and the stores", makeImages);
      await step("Image of Boardwalk", () => compose("build", ["build", "migrate"]));
      await step("Containers", () => compose("up", ["up", "-d"]));
      await check();
    } catch (error) {
      await tellLogs();
      throw error;
    } finally {
      await step("Down", removeAll);
    }
    const after = await whatIsThere();
    if (!keep && after !== before) {
      throw new Error(`Something stays: before\n${before}\nafter\n${after}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  line("The containers serve.");
  process.exit(0);
}

async function installPrograms(note) {
  const there = await Promise.all(programs.map((name) => ask(name, ["--version"])));
  const missing = programs.filter((_, index) => there[index] === null);
  if (missing.length === 0) return;
  note(missing.join(", "));
  await installFromDebian(home, [...programs, ...helpers]);
}

/** Settings of Podman for this run alone, free ports and fresh secrets. */
async function prepareEnvironment() {
  const limits = /^Max open files +\d+ +(\d+)/m.exec(readFileSync("/proc/self/limits", "latin1"));
  const files = limits?.[1] ?? "1024";
  writeFileSync(
    join(folder, "containers.conf"),
    [
      "[engine]",
      'runtime = "runc"',
      'cgroup_manager = "cgroupfs"',
      "[containers]",
      `default_ulimits = ["nofile=${files}:${files}", "nproc=8192:8192"]`,
      "[network]",
      'network_backend = "netavark"',
      "",
    ].join("\n"),
  );
  Object.assign(environment, {
    CONTAINERS_CONF: join(folder, "containers.conf"),
    // Without systemd nobody runs the health checks at their times; this test does.
    DISABLE_HC_SYSTEMD: "true",
    BASE_IMAGE: image("node"),
    BOARDWALK_IMAGE: image("boardwalk"),
    STORES_IMAGE: image("stores"),
    PORTAL_PORT: String(await freePort()),
    GATEWAY_HTTP_PORT: String(await freePort()),
    GATEWAY_GRPC_PORT: String(await freePort()),
    GATEWAY_METRICS_PORT: String(await freePort()),
    BOARDWALK_OWNER_TOKEN: randomBytes(16).toString("hex"),
    STORES_PASSWORD: randomBytes(16).toString("hex"),
    BUILD_WORKERS: "2",
    BACKUP_FOLDER: join(folder, "backups"),
  });
  mkdirSync(environment.BACKUP_FOLDER, { mode: 0o700 });
  chownSync(environment.BACKUP_FOLDER, imageUser, imageUser);
}

async function makeImages(note) {
  const base = home.at("cache", "debian-12.tar");
  if (!existsSync(base)) {
    note("Debian's base, about a minute");
    const draft = join(folder, "base.tar");
    await command("mmdebstrap", "mmdebstrap", [
      ...["--mode=root", "--variant=minbase", "--include=ca-certificates", "bookworm", draft],
    ]);
    renameSync(draft, base);
  }
  await podman("import", ["import", base, image("debian")]);

  // Node and npm as they run here, and the authorities that this machine trusts.
  const context = join(folder, "context");
  const parts = {
    node: process.execPath,
    npm: join(realpathSync(await ask("which", ["npm"])), "../.."),
    "ca-certificates.crt": "/etc/ssl/certs/ca-certificates.crt",
    versitygw: await installStorage(home, note),
    "store.sh": join(root, "tests/containers/store.sh"),
  };
  openly(() => {
    for (const [name, from] of Object.entries(parts)) {
      cpSync(from, join(context, name), { recursive: true, dereference: true });
    }
  });
  for (const name of ["node", "stores"]) {
    note(name);
    await podman(`build-${name}`, [
      ...["build", "--tag", image(name), "--build-arg", `BASE_IMAGE=${image("debian")}`],
      ...["--file", join(root, `tests/containers/${name}.Dockerfile`), context],
    ]);
  }
}

async function check() {
  const { PORTAL_PORT, GATEWAY_HTTP_PORT, GATEWAY_GRPC_PORT, BOARDWALK_OWNER_TOKEN } = environment;
  const portal = `http://127.0.0.1:${PORTAL_PORT}`;
  const gateway = `http://127.0.0.1:${GATEWAY_HTTP_PORT}`;
  process.env.BOARDWALK_OWNER_TOKEN = BOARDWALK_OWNER_TOKEN;

  await allAreHealthy();
  await step("No process is root, no file system can be written, memory is limited", async () => {
    for (const [name, number] of all) await expectConfined(containers, nameOf(name, number));
  });
  await step("The first owner is told how to come in", async () => {
    const words = await tell("exec", nameOf("portal"), "node", "scripts/role.mjs", "first-owner");
    const wanted = `http://localhost:${PORTAL_PORT}/invitation#bw_invite_`;
    if (!words?.includes(wanted)) throw new Error(words ?? "no words");
  });
  await step(
    "Only this machine reaches them, and only people and the token the portal",
    async () => {
      await expectStatus(`${portal}/api/v1/engines`, 401);
      await expectStatus(`${portal}/api/v1/engines`, 200, {
        authorization: `Bearer ${BOARDWALK_OWNER_TOKEN}`,
      });
      const elsewhere = Object.values(networkInterfaces())
        .flat()
        .filter(({ family, internal }) => family === "IPv4" && !internal);
      for (const { address } of elsewhere) {
        for (const port of [PORTAL_PORT, GATEWAY_HTTP_PORT]) {
          const reached = await fetch(`http://${address}:${port}/`, {
            signal: AbortSignal.timeout(3000),
          }).catch(() => null);
          if (reached) throw new Error(`${address}:${port} answers.`);
        }
      }
    },
  );

  const remembersNothing = { remembered: () => undefined, remember: () => {} };
  await deploySampleOnce(remembersNothing, portal);
  await predictWithSample(portal, gateway);
  await step("A model on a CPU", async () => {
    await deploy(portal, onCpu);
    await predict(gateway, onCpu);
  });
  await step("A build whose worker is killed ends with the other one", () => loseWorker(portal));
  await step("Pages name the published ports", async () => {
    const answer = await fetch(`${portal}/api/v1/endpoints/${onCpu.name}`, {
      headers: ownerHeaders(),
    });
    const { url, grpc } = await answer.json();
    const wanted = [`http://localhost:${GATEWAY_HTTP_PORT}/`, `localhost:${GATEWAY_GRPC_PORT}`];
    if (!url.startsWith(wanted[0]) || grpc !== wanted[1]) throw new Error(`${url} and ${grpc}`);
  });
  const serve = async (when) => {
    await predictWithSample(portal, gateway);
    await step(`The others answer ${when}`, async () => {
      await predict(gateway, onCpu);
      await until(`${onBoard.name} is ready`, () => isReady(gateway, onBoard));
    });
  };
  await serve("before anything starts anew");

  // The portal's key, which board servers pinned, is still the same then.
  for (const name of ["portal", "board-server", "gateway", "postgres"]) {
    await step(`${name} starts anew`, async () => {
      await podman("restart", ["restart", nameOf(name)]);
      await healthy(name);
    });
  }
  await serve("after that");

  await step("A backup", backUp);
  await step("All containers go", () => takeDown());
  await step("New ones come", () => compose("up-again", ["up", "-d"]));
  await allAreHealthy();
  await serve("on the volumes of before");

  await step("All containers and volumes go", () => takeDown("--volumes"));
  await step("The backup is restored into new volumes", restore);
  await step("New containers come", () => compose("up-restored", ["up", "-d"]));
  await allAreHealthy();
  await serve("from the backup");
  await step("It is not restored over them", async () => {
    await compose("restore-again", ["run", ...once, "restore", backup]).catch(() => {});
    const words = readFileSync(home.logFile("containers-restore-again"), "utf8");
    if (!words.includes("is never restored over anything")) throw new Error(words);
  });
}

async function allAreHealthy() {
  for (const [name, number] of all) {
    await step(`${nameOf(name, number)} is healthy`, () => healthy(name, number));
  }
  await step("No role lacks anything", async () => {
    for (const [name, number] of all) if (roles.includes(name)) await lacksNothing(name, number);
  });
}

const onCpu = {
  name: "iris-cpu",
  engine: "onnx",
  model: { url: "s3://boardwalk-samples/iris-mlp/model.onnx" },
  board: { model: "cpu", kind: "cpu" },
};
const onBoard = {
  name: "banknote-mlp",
  engine: "boardwalk",
  model: { url: "s3://boardwalk-samples/banknote-mlp/model.onnx" },
  board: { model: "icebreaker", kind: "simulated" },
};

async function deploy(portal, endpoint) {
  const answer = await fetch(`${portal}/api/v1/endpoints`, {
    method: "POST",
    headers: { "content-type": "application/json", ...ownerHeaders() },
    body: JSON.stringify(endpoint),
  });
  const body = await answer.json();
  if (answer.status !== 202) throw new Error(`The portal answers ${JSON.stringify(body)}.`);
  return body.buildId;
}

/** Kills the container of the worker that has a build in its tools. */
async function loseWorker(portal) {
  const get = async (path) => {
    const answer = await fetch(`${portal}/api/v1${path}`, { headers: ownerHeaders() });
    return await answer.json();
  };
  const id = await deploy(portal, onBoard);
  const worker = await until("the build is in its tools", async () => {
    const { endedAt, state, stages } = await get(`/builds/${id}`);
    if (endedAt) throw new Error(`The build is ${state} already.`);
    const inTools = stages.some(
      (stage) => stage.name === "synthesise" && stage.state === "running",
    );
    return inTools && (await get("/builds/queue")).workers.find(({ running }) => running > 0);
  });
  // A container's host name is the beginning of its id.
  await podman("kill", ["kill", worker.host]);
  const { state, attempt, problem } = await until("the build has ended", async () => {
    const build = await get(`/builds/${id}`);
    return build.endedAt && build;
  });
  if (state !== "succeeded" || attempt < 2) {
    throw new Error(`The build is ${state} after ${attempt} attempts: ${JSON.stringify(problem)}`);
  }
  await podman("start", ["start", worker.host]);
}

/** Asks until a model of the iris sample answers, which must be with the class of the row. */
async function predict(gateway, { name }) {
  const row = { name: "features", shape: [1, 4], datatype: "FP32", data: [5.1, 3.5, 1.4, 0.2] };
  const words = await until(`${name} answers`, async () => {
    const answer = await fetch(`${gateway}/v2/models/${name}/infer`, {
      method: "POST",
      headers: { "content-type": "application/json", ...ownerHeaders() },
      body: JSON.stringify({ inputs: [row] }),
    });
    const text = await answer.text();
    return answer.ok && text;
  });
  const [setosa, ...others] = JSON.parse(words).outputs[0].data;
  if (setosa < Math.max(...others)) throw new Error(`The prediction is wrong: ${words}`);
}

const isReady = async (gateway, { name }) =>
  (await fetch(`${gateway}/v2/models/${name}/ready`, { headers: ownerHeaders() })).ok;

/** What both commands of docs/operations.md are typed with; a terminal is none of a test. */
const once = ["--rm", "--no-deps", "-T"];
const backup = "nightly.tar";

async function backUp() {
  await compose("backup", ["run", ...once, "backup", backup]);
  const { mode, size } = statSync(join(environment.BACKUP_FOLDER, backup));
  if ((mode & 0o777) !== 0o600) throw new Error(`Others may read the backup: ${mode.toString(8)}.`);
  return `${Math.round(size / 1e3)} kB`;
}

async function restore() {
  await compose("up-stores", ["up", "-d", "postgres", "storage"]);
  await compose("restore", ["run", ...once, "restore", backup]);
}

async function expectStatus(url, wanted, headers = {}) {
  const { status } = await fetch(url, { headers });
  if (status !== wanted) throw new Error(`${url} answers ${status}, not ${wanted}.`);
}

/** The last words of every container, for whoever looks why it failed. */
async function tellLogs() {
  for (const [name, number] of [["migrate", 1], ...all]) {
    const words = await tell("logs", "--tail", "15", nameOf(name, number));
    line(`\n${nameOf(name, number)}:\n${words ?? "no words"}`);
  }
}

/** All containers go; with `--volumes` what they kept as well. */
const takeDown = (...flags) => compose("down", ["down", "--timeout", "70", ...flags]);

async function removeAll() {
  await takeDown("--volumes");
  await tell("network", "rm", `${project}_default`);
  if (!keep) await removeImages();
}

async function removeImages() {
  for (const name of ["boardwalk", "stores", "node", "debian"]) {
    await ask("podman", ["rmi", "--force", image(name)], { env: environment, timeoutMs: 120_000 });
  }
}

/** Containers, volumes, networks and images of this machine. */
async function whatIsThere() {
  const list = async (...args) => (await tell(...args)) ?? "";
  const found = [
    await list("ps", "--all", "--format", "{{.Names}}"),
    await list("volume", "ls", "--format", "{{.Name}}"),
    await list("network", "ls", "--format", "{{.Name}}"),
    await list("images", "--all", "--quiet"),
  ];
  return found.map((names) => names.split("\n").sort().join(" ")).join("\n");
}
