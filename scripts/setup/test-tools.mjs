import { existsSync, mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { ask, run } from "../lib/run.mjs";
import { Fixable } from "../lib/say.mjs";
import { fpgaFamilies, installFpga } from "./fpga.mjs";
import { installHls4ml } from "./hls4ml.mjs";
import { findRedis, installFromDebian } from "./redis.mjs";
import { installTensorflow } from "./tensorflow.mjs";
import { takeFromWheel } from "./wheel.mjs";

/** Programs that judge or drive the tests: command → Debian package. */
const programs = {
  iverilog: "iverilog",
  verilator: "verilator",
  chromium: "chromium",
  bwrap: "bubblewrap",
  curl: "curl",
  icebox_vlog: "fpga-icestorm",
  ip: "iproute2",
  haproxy: "haproxy",
  faketime: "faketime",
};
/** Programs that Go installs: command → package. */
const goStores = { versitygw: "github.com/versity/versitygw/cmd/versitygw@v1.8.0" };
const goJudges = {
  grpcurl: "github.com/fullstorydev/grpcurl/cmd/grpcurl@v1.9.4",
  h2spec: "github.com/summerwind/h2spec/cmd/h2spec@v2.2.1+incompatible",
};
const goMatrix = { registry: "github.com/distribution/distribution/v3/cmd/registry@v3.1.2" };
/** NVIDIA's load generator: a program inside a wheel, which wants a library of CUDA though it is used without. */
const perfAnalyzer = {
  program: {
    wheel: {
      pin: "tritonclient==2.51.0",
      sha256: ["c485bb0123bdf310f90bc8b03d3489b28df2ffed55b30c7eee0b795b48113d52"],
    },
    member: "bin/perf_analyzer",
  },
  library: {
    wheel: {
      pin: "nvidia-cuda-runtime-cu12==12.6.77",
      sha256: [
        "ba3b56a4f896141e25e19ab287cd71e52a6a0f4b29d0d31609f60e3b4d5219b7",
        "a84d15d5e1da416dd4774cb42edf5e954a3e60cc945698dc1d5be02321c44dc8",
      ],
    },
    member: "lib/libcudart.so.12",
  },
  debian: "libb64-0d",
};
const clients = {
  triton: {
    folder: "triton",
    package: "tritonclient[http,grpc]==2.73.0",
    imports: "tritonclient.http, tritonclient.grpc",
  },
  kserve: { folder: "kserve", package: "kserve==0.21.0", imports: "kserve" },
  vcd: { folder: "pyvcd", package: "pyvcd==0.4.1", imports: "vcd.reader" },
};

const versionFlags = {
  iverilog: ["-V"],
  grpcurl: ["-version"],
  icebox_vlog: ["-h"],
  ip: ["-V"],
  haproxy: ["-v"],
};
const isThere = async (command, env) =>
  (await ask(command, versionFlags[command] ?? ["--version"], { env, timeoutMs: 60_000 })) !== null;

/**
 * Makes sure of what `npm test` promises to use. What cannot be had fails the run with a sentence.
 *
 * @returns Variables that name what was found.
 */
export async function installTestTools(home, note) {
  const { env } = binOf(home);
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
  await installStorage(home, note);
  return {
    PATH: env.PATH,
    E2E_CHROMIUM: (await which("chromium", env)) ?? "/usr/bin/chromium",
  };
}

/** Makes sure of the S3 server of the tests; answers its path. */
export async function installStorage(home, note) {
  const { bin, env } = binOf(home);
  await installGoPrograms(home, note, { programs: goStores, env, bin });
  return which("versitygw", env);
}

/**
 * Makes sure of the programs of others that judge in `tests/judges`.
 *
 * @returns Variables that name what was found.
 */
export async function installJudges(home, note) {
  const { bin, env } = binOf(home);
  await installGoPrograms(home, note, { programs: goJudges, env, bin });
  const { program, libraries } = await findPerfAnalyzer(home, note);
  return {
    GRPCURL: await which("grpcurl", env),
    H2SPEC: await which("h2spec", env),
    PERF_ANALYZER: program,
    PERF_ANALYZER_LIBRARIES: libraries,
    TRITON_PYTHON: await pythonWith(home, note, clients.triton),
    KSERVE_PYTHON: await pythonWith(home, note, clients.kserve),
    VCD_PYTHON: await pythonWith(home, note, clients.vcd),
  };
}

/**
 * Makes sure of what the matrix uses beyond the judges: the tools that people install with `npm run setup`, and what takes long to compile.
 *
 * @returns Variables that name what was found.
 */
export async function installMatrixTools(home, note) {
  const { bin, env } = binOf(home);
  await installGoPrograms(home, note, { programs: goMatrix, env, bin });
  for (const [family, { title }] of Object.entries(fpgaFamilies)) {
    note(`${title} tools`);
    await installFpga(home, family, (text) => note(`${title} tools, ${text}`));
  }
  note("TensorFlow and tf2onnx");
  await installTensorflow(home, (text) => note(`TensorFlow and tf2onnx, ${text}`));
  note("hls4ml");
  await installHls4ml(home, (text) => note(`hls4ml, ${text}`));
  return { OCI_REGISTRY: await which("registry", env) };
}

/** Folder of the programs that set-up makes, and an environment that finds them. */
function binOf(home) {
  const bin = home.at("tools/bin");
  mkdirSync(bin, { recursive: true });
  return { bin, env: { ...home.env, PATH: [bin, process.env.PATH].join(delimiter) } };
}

async function installGoPrograms(home, note, { programs: wanted, env, bin }) {
  for (const [command, source] of Object.entries(wanted)) {
    if (!(await isThere(command, env))) {
      await installWithGo(home, note, { command, source, env, bin });
    }
  }
}

async function installWithGo(home, note, { command, source, env, bin }) {
  note(`${command}, compiled by Go, about two minutes`);
  if (!(await ask("go", ["version"], { env }))) {
    throw new Fixable(`The tests need ${command} on PATH, or Go 1.25 or newer to install it.`);
  }
  await run("go", ["install", source], {
    cwd: home.path,
    env: { ...env, GOBIN: bin, GOFLAGS: "-modcacherw" },
    logFile: home.logFile(command),
    fix: `${command} could not be installed by Go.`,
  });
}

/** The load generator, and the folder of libraries that it starts with. */
async function findPerfAnalyzer(home, note) {
  const libraries = home.at("tools/perf-analyzer");
  const program = join(libraries, "perf_analyzer");
  const library = join(libraries, "libcudart.so.12");
  const env = { ...home.env, LD_LIBRARY_PATH: libraries };
  const starts = async () => (await ask(program, ["--version"], { env })) !== null;
  const { debian, ...wheels } = perfAnalyzer;
  if (await starts()) return { program, libraries };

  note("perf_analyzer, from PyPI");
  const fix = "The tests need perf_analyzer from PyPI: Python 3 with pip, on x86-64.";
  await takeFromWheel(home, { ...wheels.program, target: program, fix });
  await takeFromWheel(home, { ...wheels.library, target: library, fix });
  if (await starts()) return { program, libraries };

  const isDebian = process.getuid?.() === 0 && existsSync("/etc/debian_version");
  if (isDebian) await installFromDebian(home, [debian]);
  if (await starts()) return { program, libraries };
  throw new Fixable(
    `The tests need perf_analyzer, which wants a library: run \`sudo apt-get install ${debian}\`.`,
  );
}

/** A Python environment of its own for a client or reader that users run: two of them register the same names. */
async function pythonWith(home, note, { folder: name, package: wanted, imports }) {
  const folder = home.at("tools", name);
  const python = join(folder, "bin/python");
  if ((await ask(python, ["-c", `import ${imports}`], { timeoutMs: 60_000 })) !== null)
    return python;
  note(`${name}, from PyPI`);
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
