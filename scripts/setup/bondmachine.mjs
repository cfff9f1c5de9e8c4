import { existsSync, mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { ask, run } from "../lib/run.mjs";
import { Fixable } from "../lib/say.mjs";
import { toolsFolder } from "./tools.mjs";

/** Upstream has no releases: this is the snapshot that the recordings in tests/fixtures/bondmachine were made with. */
export const bondmachineVersion = "v0.0.0-20260224084044-c9e699215e33";
const bondmachinePrograms = ["basm", "bondmachine", "neuralbond"];
/** What every machine needs; the third only writes the assembly where that is asked of it. */
const needed = bondmachinePrograms.slice(0, 2);
const module = "github.com/BondMachineHQ/BondMachine";

const folderOf = (home) => join(toolsFolder(home), "bondmachine");

/** Where the programs that every machine needs are, as the build worker looks for them; null where one is missing. */
export function bondmachineFound(home, programs = needed) {
  const onPath = (process.env.PATH ?? "").split(delimiter);
  const folders = [process.env.BONDMACHINE_DIR, folderOf(home), ...onPath].filter(Boolean);
  const places = programs.map((program) =>
    folders.find((folder) => existsSync(join(folder, program))),
  );
  return places.every(Boolean) ? [...new Set(places)].join(", ") : null;
}

export const isBondmachineThere = (home) => bondmachineFound(home, bondmachinePrograms) !== null;

/** Asks Go for the programs, once, in the form that upstream documents. */
export async function installBondmachine(home, note = () => {}) {
  if (isBondmachineThere(home)) return "there already";
  if ((await ask("go", ["version"])) === null) {
    throw new Fixable(
      "BondMachine's tools are written in Go, and there is no go on PATH: install Go 1.23 or newer, or put basm and bondmachine into a folder and set BONDMACHINE_DIR to it.",
    );
  }
  const folder = folderOf(home);
  mkdirSync(folder, { recursive: true });
  note("from Go's module service");
  await run(
    "go",
    [
      "install",
      ...bondmachinePrograms.map((name) => `${module}/cmd/${name}@${bondmachineVersion}`),
    ],
    {
      cwd: home.path,
      env: { ...home.env, GOBIN: folder, CGO_ENABLED: "0" },
      logFile: home.logFile("bondmachine"),
      fix: "Go's module service did not give BondMachine's tools: build basm and bondmachine from their sources, put them into a folder, and set BONDMACHINE_DIR to it.",
    },
  );
  return undefined;
}
