import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../lib/run.mjs";

/** The pinned WebAssembly builds of the iCE40 tools: the same request gives the same bits everywhere. */
export const pinnedTools = { "@yowasp/yosys": "0.55.944", "@yowasp/nextpnr-ice40": "0.8.621" };

export const toolsFolder = (home) => process.env.TOOLS_DIR || home.at("tools");

/** Version of an installed tool package, or null. */
export function toolVersion(home, name) {
  const file = join(toolsFolder(home), "node_modules", name, "package.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).version : null;
}

/** Installs the FPGA tools into the data folder, once. */
export async function installTools(home) {
  if (process.env.TOOLS_DIR) return;
  const missing = Object.entries(pinnedTools).filter(
    ([name, version]) => toolVersion(home, name) !== version,
  );
  if (missing.length === 0) return;
  const folder = toolsFolder(home);
  mkdirSync(folder, { recursive: true });
  const manifest = join(folder, "package.json");
  if (!existsSync(manifest)) writeFileSync(manifest, '{ "private": true }\n');
  await run(
    "npm",
    [
      "install",
      "--no-audit",
      "--no-fund",
      "--ignore-scripts",
      "--save-exact",
      ...Object.entries(pinnedTools).map(([name, version]) => `${name}@${version}`),
    ],
    {
      cwd: folder,
      env: home.env,
      logFile: home.logFile("fpga-tools"),
      fix: "The FPGA tools could not be installed from npm. Check the network and start again.",
    },
  );
}
