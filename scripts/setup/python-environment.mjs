import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ask, run } from "../lib/run.mjs";
import { Fixable } from "../lib/say.mjs";
import { toolsFolder } from "./tools.mjs";

/**
 * A private Python environment among the tools, with pinned packages.
 *
 * @param {object} wanted
 * @param {string} wanted.name Of its folder and its log.
 * @param {string} wanted.title What a person knows it as.
 * @param {readonly string[]} wanted.packages Pins, as `pip install` takes them.
 * @param {string} wanted.download How much comes from PyPI, such as `300 MB`.
 * @param {string} wanted.disk How much it takes installed.
 * @param {number} wanted.oldestMinor First and last Python 3 that all packages exist for.
 * @param {number} wanted.newestMinor
 */
export function pythonEnvironment({
  name,
  title,
  packages,
  download,
  disk,
  oldestMinor,
  newestMinor,
}) {
  const wanted = packages.join("\n");
  const folderOf = (home) => join(toolsFolder(home), name);
  /** Written last: without it, an installation was cut off. */
  const markOf = (home) => join(folderOf(home), "boardwalk-packages.txt");

  /** The packages that are installed, or null. */
  function found(home) {
    const mark = markOf(home);
    return existsSync(mark) ? readFileSync(mark, "utf8").trim() : null;
  }
  const isThere = (home) => found(home) === wanted;

  /** Makes the environment, once. */
  async function install(home, note = () => {}) {
    if (isThere(home)) return "there already";
    const python = await findPython(title, oldestMinor, newestMinor);
    const folder = folderOf(home);
    rmSync(folder, { recursive: true, force: true });
    const options = {
      cwd: home.path,
      env: home.env,
      logFile: home.logFile(name),
      fix: `${title} could not be installed from PyPI: check the network and ${disk} of free disk, and start again.`,
    };
    note("environment");
    await run(python, ["-m", "venv", folder], {
      ...options,
      fix: "Python could not make an environment: apt-get install python3-venv, and start again.",
    });
    note(`from PyPI, about ${download}`);
    await run(
      join(folder, "bin/python"),
      ["-m", "pip", "install", "--quiet", "--only-binary=:all:", ...packages],
      options,
    );
    writeFileSync(markOf(home), wanted);
    return undefined;
  }
  return { found, isThere, install };
}

/** The first Python that the pinned packages exist for. */
async function findPython(title, oldestMinor, newestMinor) {
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
    `${title} needs Python 3.${oldestMinor} to 3.${newestMinor} on PATH: install one, such as python3.12 with its venv module.`,
  );
}
