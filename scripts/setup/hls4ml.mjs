import { readFileSync } from "node:fs";
import { ask } from "../lib/run.mjs";
import { Fixable } from "../lib/say.mjs";
import { pythonEnvironment } from "./python-environment.mjs";

/** All packages of the environment, those that are needed by others too: what hls4ml writes depends on many of them. */
const pins = readFileSync(new URL("hls4ml-packages.txt", import.meta.url), "utf8");

/** Pins as `pip install` takes them. Only here TensorFlow is without its CUDA. */
export const hls4mlPackages = pins
  .trim()
  .split("\n")
  .map((pin) =>
    process.platform === "linux" && process.arch === "x64"
      ? pin
      : pin.replace("tensorflow_cpu==", "tensorflow=="),
  );

const environment = pythonEnvironment({
  name: "hls4ml",
  title: "hls4ml",
  packages: hls4mlPackages,
  download: "600 MB",
  disk: "2 GB",
  oldestMinor: 11,
  newestMinor: 13,
});

/** The packages that are installed, or null. */
export const hls4mlFound = environment.found;
export const isHls4mlThere = environment.isThere;

/** First line of what g++ says of itself, or null. */
export async function compilerFound() {
  const text = await ask("g++", ["--version"]);
  return text?.split("\n")[0] ?? null;
}

/** How to get the compiler that emulations are made with. */
export const compilerFix = "apt-get install g++";

/** Makes the private Python environment, once. What hls4ml writes is compiled by the machine's own g++. */
export async function installHls4ml(home, note = () => {}) {
  if ((await compilerFound()) === null)
    throw new Fixable(`hls4ml needs g++ on PATH: ${compilerFix}, and start again.`);
  return await environment.install(home, note);
}
