import { existsSync } from "node:fs";
import { join } from "node:path";
import { ask, run } from "../lib/run.mjs";
import { Fixable } from "../lib/say.mjs";
import { installFromDebian } from "./redis.mjs";

const runtime = "onnxruntime==1.23.2";
/**
 * Other model servers and other compilers, each in a Python environment of its own: their packages exclude one another.
 */
const peers = {
  pytriton: {
    packages: ["nvidia-pytriton==0.7.0", runtime],
    imports: "onnxruntime, pytriton.triton",
  },
  mlserver: { packages: ["mlserver==1.7.1", runtime], imports: "onnxruntime, mlserver" },
  kserve: { packages: ["kserve==0.21.0", runtime], imports: "onnxruntime, kserve" },
  da4ml: { packages: ["da4ml==0.6.0"], imports: "da4ml" },
  conifer: { packages: ["conifer==1.11"], imports: "conifer" },
  nngen: { packages: ["nngen==1.3.4", "onnx==1.23.2"], imports: "nngen, onnx" },
};

/** Whether all of them are there. */
export const arePeersThere = (home) =>
  Object.keys(peers).every((name) => existsSync(home.at("tools/peers", name, "bin/python")));

/** Installs what gateway and compiler are measured beside, into the data folder. */
export async function installPeers(home, note) {
  for (const [name, { packages, imports }] of Object.entries(peers)) {
    const folder = home.at("tools/peers", name);
    const python = join(folder, "bin/python");
    const test = ["-c", `import ${imports}`];
    if (existsSync(python) && (await ask(python, test, { timeoutMs: 60_000 })) !== null) continue;
    const [wanted] = packages;
    note(`${wanted}, from PyPI`);
    const options = {
      cwd: home.path,
      env: home.env,
      logFile: home.logFile(`peer-${name}`),
      fix: `This needs Python 3 with venv, and ${wanted} from PyPI.`,
    };
    await run("python3", ["-m", "venv", "--clear", folder], options);
    await run(python, ["-m", "pip", "install", "--quiet", ...packages], options);
  }
  await preparePlainTriton(home.at("tools/peers/pytriton/bin/python"));
  await installWrk(home, note);
}

/** The load over HTTP that costs least. Elsewhere than on Debian, and without root, the bench loads by itself. */
async function installWrk(home, note) {
  const isThere = (await ask("which", ["wrk"])) !== null;
  if (isThere || process.getuid?.() !== 0 || !existsSync("/etc/debian_version")) return;
  note("wrk, from Debian");
  await installFromDebian(home, ["wrk"]);
}

/**
 * pytriton's wheel carries Triton with one Python stub for each Python; the server alone looks for it beside its back
 * end. The stub is linked to the Python library, which Debian packs apart from Python.
 */
async function preparePlainTriton(python) {
  const script = [
    "import ctypes, pathlib, pytriton, shutil, sysconfig",
    "version = sysconfig.get_python_version()",
    "triton = pathlib.Path(pytriton.__file__).parent / 'tritonserver'",
    "stub = 'triton_python_backend_stub'",
    "shutil.copy(triton / 'python_backend_stubs' / version / stub, triton / 'backends/python')",
    "name = f'libpython{version}.so.1.0'",
    "folder = pathlib.Path(sysconfig.get_config_var('LIBDIR'))",
    "ctypes.CDLL(str(folder / name) if (folder / name).exists() else name)",
  ].join("\n");
  if ((await ask(python, ["-c", script])) !== null) return;
  throw new Fixable(
    "Triton needs Python 3.8 to 3.13 with its library: on Debian, `apt-get install libpython3-dev`.",
  );
}
