import { existsSync, mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { ask, run } from "../lib/run.mjs";
import { Fixable } from "../lib/say.mjs";
import { findRedis, installFromDebian } from "./redis.mjs";
import { installTensorflow } from "./tensorflow.mjs";

/** Programs that judge or drive the tests: command → Debian package. */
const programs = {
  iverilog: "iverilog",
  verilator: "verilator",
  chromium: "chromium",
  bwrap: "bubblewrap",
};
const versitygw = "github.com/versity/versitygw/cmd/versitygw@v1.8.0";
const clients = {
  triton: {
    folder: "triton",
    package: "tritonclient[http,grpc]==2.73.0",
    imports: "tritonclient.http, tritonclient.grpc",
  },
  kserve: { folder: "kserve", package: "kserve==0.21.0", imports: "kserve" },
};

const versionFlags = { iverilog: ["-V"] };
const isThere = async (command, env) =>
  (await ask(command, versionFlags[command] ?? ["--version"], { env, timeoutMs: 60_000 })) !== null;

/**
 * Makes sure of everything that the tests promise to use. What cannot be had fails the run with a sentence.
 *
 * @returns Variables that name what was found.
 */
export async function installTestTools(home, note) {
  const bin = home.at("tools/bin");
  mkdirSync(bin, { recursive: true });
  const env = { ...home.env, PATH: [bin, process.env.PATH].join(delimiter) };

  note("Redis");
  await findRedis(home, note);
  const missing = [];
  for (const command of Object.keys(programs))
    if (!(await isThere(command, env))) missing.push(command);
  if (missing.length > 0) {
    note(missing.join(", "));
    const packages = missing.map((command) => programs[command]);
    if (process.getuid?.() !== 0 || !existsSync("/etc/debian_version")) {
      throw new Fixable(
        `The tests need ${missing.join(", ")}: run \`sudo apt-get install ${packages.join(" ")}\`.`,
      );
    }
    await installFromDebian(home, packages);
  }

  if (!(await isThere("versitygw", env))) {
    note("versitygw, compiled by Go, about two minutes");
    if (!(await ask("go", ["version"], { env }))) {
      throw new Fixable(
        "The storage tests need versitygw on PATH, or Go 1.25 or newer to install it.",
      );
    }
    await run("go", ["install", versitygw], {
      cwd: home.path,
      env: { ...env, GOBIN: bin, GOFLAGS: "-modcacherw" },
      logFile: home.logFile("versitygw"),
      fix: "versitygw could not be installed by Go.",
    });
  }

  note("TensorFlow and tf2onnx");
  await installTensorflow(home, (text) => note(`TensorFlow and tf2onnx, ${text}`));

  return {
    PATH: env.PATH,
    E2E_CHROMIUM: (await which("chromium", env)) ?? "/usr/bin/chromium",
    TRITON_PYTHON: await pythonWith(home, note, clients.triton),
    KSERVE_PYTHON: await pythonWith(home, note, clients.kserve),
  };
}

/** A Python environment of its own for a client that users run: two of them register the same names. */
async function pythonWith(home, note, { folder: name, package: wanted, imports }) {
  const folder = home.at("tools", name);
  const python = join(folder, "bin/python");
  if ((await ask(python, ["-c", `import ${imports}`], { timeoutMs: 60_000 })) !== null)
    return python;
  note(`${name} client, from PyPI`);
  const options = {
    cwd: home.path,
    env: home.env,
    logFile: home.logFile(`${name}-client`),
    fix: `The tests need Python 3 with venv, and ${wanted} from PyPI.`,
  };
  await run("python3", ["-m", "venv", folder], options);
  await run(python, ["-m", "pip", "install", "--quiet", wanted], options);
  return python;
}

const which = async (command, env) => ask("/bin/sh", ["-c", `command -v ${command}`], { env });
