// `npm run test:containers`: brings docker-compose.yml up as it stands, deploys the sample through its published portal,
// predicts through its published gateway, starts containers anew, predicts again, and takes everything down. As root on
// Debian, since it makes its images of Debian's packages: no registry of images is asked. Between two runs only Debian's
// base is kept, in the data folder; `--keep` keeps the images too.
import { randomBytes } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { openHome, root } from "./lib/home.mjs";
import { parseOptions } from "./lib/options.mjs";
import { ownerHeaders } from "./lib/owner.mjs";
import { freePort } from "./lib/ports.mjs";
import { ask, run } from "./lib/run.mjs";
import { deploySampleOnce, predictWithSample } from "./lib/sample.mjs";
import { end, Fixable, line, step } from "./lib/say.mjs";
import { openly } from "./lib/umask.mjs";
import { installFromDebian } from "./setup/redis.mjs";
import { installStorage } from "./setup/test-tools.mjs";

const { keep } = parseOptions({ options: { keep: { type: "boolean" } } }).values;
const programs = ["podman", "podman-compose", "runc", "mmdebstrap"];
/** Libraries and helpers that are no programs on PATH. */
const helpers = ["netavark", "aardvark-dns", "iptables", "containernetworking-plugins"];
const project = "boardwalk-test-containers";
const image = (name) => `localhost/${project}-${name}`;
const stores = ["postgres", "redis", "storage"];
const roles = ["portal", "gateway", "control", "build-worker", "board-server"];
const patienceMs = 300_000;

const home = openHome(join(root, ".boardwalk"));
const folder = mkdtempSync(home.at("tmp", "containers-"));
const environment = { ...process.env };

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
      await step("Down", takeDown);
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
  });
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
  const { PORTAL_PORT, GATEWAY_HTTP_PORT, BOARDWALK_OWNER_TOKEN } = environment;
  const portal = `http://127.0.0.1:${PORTAL_PORT}`;
  const gateway = `http://127.0.0.1:${GATEWAY_HTTP_PORT}`;
  process.env.BOARDWALK_OWNER_TOKEN = BOARDWALK_OWNER_TOKEN;

  for (const name of [...stores, ...roles]) await step(`${name} is healthy`, () => healthy(name));
  await step("Only this machine reaches them, and only the owner the portal", async () => {
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
  });

  const remembersNothing = { remembered: () => undefined, remember: () => {} };
  await deploySampleOnce(remembersNothing, portal);
  await predictWithSample(portal, gateway);
  await step("A model on a CPU", () => predictOnCpu(portal, gateway));
  for (const name of ["board-server", "gateway", "postgres"]) {
    await step(`${name} starts anew`, async () => {
      await podman("restart", ["restart", containerOf(name)]);
      await healthy(name);
    });
  }
  await predictWithSample(portal, gateway);
  await predict(gateway);
}

const onCpu = "iris-cpu";

/** Models on a CPU have sockets of their own, which the gateway reaches as well. */
async function predictOnCpu(portal, gateway) {
  const { status } = await fetch(`${portal}/api/v1/endpoints`, {
    method: "POST",
    headers: { "content-type": "application/json", ...ownerHeaders() },
    body: JSON.stringify({
      name: onCpu,
      engine: "onnx",
      model: { url: "s3://boardwalk-samples/iris-mlp/model.onnx" },
      board: { model: "cpu", kind: "cpu" },
    }),
  });
  if (status !== 202) throw new Error(`The portal answers ${status}, not 202.`);
  await predict(gateway);
}

/** Asks until the model on the CPU answers, which must be with the class of the row. */
async function predict(gateway) {
  const row = { name: "features", shape: [1, 4], datatype: "FP32", data: [5.1, 3.5, 1.4, 0.2] };
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const answer = await fetch(`${gateway}/v2/models/${onCpu}/infer`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ inputs: [row] }),
    });
    const words = await answer.text();
    if (answer.ok) {
      const [setosa, ...others] = JSON.parse(words).outputs[0].data;
      if (setosa < Math.max(...others)) throw new Error(`The prediction is wrong: ${words}`);
      return;
    }
    if (Date.now() > deadline) throw new Error(`${onCpu} answers ${answer.status}: ${words}`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

const containerOf = (name) => `${project}_${name}_1`;

/** What the health check of a container says: it is run here, as nobody else does. */
async function healthy(name) {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const words = await ask("podman", ["healthcheck", "run", containerOf(name)], {
      env: environment,
      timeoutMs: 60_000,
    });
    if (words !== null) return;
    if (Date.now() > deadline) throw new Error(`${name} is not healthy after ${patienceMs} ms.`);
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

async function expectStatus(url, wanted, headers = {}) {
  const { status } = await fetch(url, { headers });
  if (status !== wanted) throw new Error(`${url} answers ${status}, not ${wanted}.`);
}

/** The last words of every container, for whoever looks why it failed. */
async function tellLogs() {
  for (const name of ["migrate", ...stores, ...roles]) {
    const words = await ask("podman", ["logs", "--tail", "15", containerOf(name)], {
      env: environment,
    });
    line(`\n${name}:\n${words ?? "no words"}`);
  }
}

async function takeDown() {
  await compose("down", ["down", "--volumes", "--timeout", "20"]);
  await ask("podman", ["network", "rm", `${project}_default`], { env: environment });
  if (keep) return;
  for (const name of ["boardwalk", "stores", "node", "debian"]) {
    await ask("podman", ["rmi", "--force", image(name)], { env: environment, timeoutMs: 120_000 });
  }
}

/** Containers, volumes, networks and images of this machine. */
async function whatIsThere() {
  const list = async (...args) => (await ask("podman", args, { env: environment })) ?? "";
  const found = [
    await list("ps", "--all", "--format", "{{.Names}}"),
    await list("volume", "ls", "--format", "{{.Name}}"),
    await list("network", "ls", "--format", "{{.Name}}"),
    await list("images", "--all", "--quiet"),
  ];
  return found.map((names) => names.split("\n").sort().join(" ")).join("\n");
}

const compose = (name, args) =>
  command(name, "podman-compose", [
    ...["--project-name", project, "--file", join(root, "docker-compose.yml")],
    ...["--file", join(root, "tests/containers/docker-compose.yml"), ...args],
  ]);
const podman = (name, args) => command(name, "podman", args);

/** With the person's own file modes, since other users read the files of an image. */
const command = (name, program, args) =>
  openly(() =>
    run(program, args, {
      cwd: root,
      env: environment,
      logFile: home.logFile(`containers-${name}`),
      fix: `\`${program} ${args[0]}\` failed.`,
    }),
  );
