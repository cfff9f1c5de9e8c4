import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ask, run } from "../lib/run.mjs";
import { Fixable } from "../lib/say.mjs";
import { toolsFolder } from "./tools.mjs";

/** What turns SavedModels into ONNX. One set for every Python that it runs on; only here TensorFlow is without its CUDA. */
export const tensorflowPackages = [
  process.platform === "linux" && process.arch === "x64"
    ? "tensorflow-cpu==2.21.0"
    : "tensorflow==2.21.0",
  "tf2onnx==1.17.0",
  "onnx==1.19.1",
  "numpy==2.2.6",
  "protobuf==6.33.6",
];
const wanted = tensorflowPackages.join("\n");
const newestMinor = 13;
const oldestMinor = 10;

const folderOf = (home) => join(toolsFolder(home), "tensorflow");
/** Written last: without it, an installation was cut off. */
const markOf = (home) => join(folderOf(home), "boardwalk-packages.txt");

/** The packages that are installed, or null. */
export function tensorflowFound(home) {
  const mark = markOf(home);
  return existsSync(mark) ? readFileSync(mark, "utf8").trim() : null;
}

export const isTensorflowThere = (home) => tensorflowFound(home) === wanted;

/** Makes the private Python environment, once. */
export async function installTensorflow(home, note = () => {}) {
  if (isTensorflowThere(home)) return "there already";
  const python = await findPython();
  const folder = folderOf(home);
  rmSync(folder, { recursive: true, force: true });
  const options = {
    cwd: home.path,
    env: home.env,
    logFile: home.logFile("tensorflow"),
    fix: "TensorFlow and tf2onnx could not be installed from PyPI: check the network and 2 GB of free disk, and start again.",
  };
  note("environment");
  await run(python, ["-m", "venv", folder], {
    ...options,
    fix: "Python could not make an environment: apt-get install python3-venv, and start again.",
  });
  note("from PyPI, about 300 MB");
  await run(
    join(folder, "bin/python"),
    ["-m", "pip", "install", "--quiet", "--only-binary=:all:", ...tensorflowPackages],
    options,
  );
  writeFileSync(markOf(home), wanted);
  return undefined;
}

/** The first Python that the pinned packages exist for. */
async function findPython() {
  const numbered = Array.from(
    { length: newestMinor - oldestMinor + 1 },
    (_, index) => `python3.${newestMinor - index}`,
  );
  for (const command of ["python3", ...numbered]) {
    const minor = Number(
      (await ask(command, ["-c", "import sys; print(sys.version_info[1])"])) ?? Number.NaN,
    );
    if (minor >= oldestMinor && minor <= newestMinor) return command;
  }
  throw new Fixable(
    `TensorFlow needs Python 3.${oldestMinor} to 3.${newestMinor} on PATH: install one, such as python3.12 with its venv module.`,
  );
}
