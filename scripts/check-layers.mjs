// Checks the layer table with dependency-cruiser, and that it read the sources at all: with a TypeScript it does not
// understand it reads none and still says that all is well.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "./lib/home.mjs";

const folders = [
  "app",
  "components",
  "portal",
  "cli",
  "workers",
  "gateway",
  "board-server",
  "engines",
  "compiler",
  "simulator",
  "boards",
  "domain",
  "proto",
  "lib",
].filter((folder) => existsSync(join(root, folder)));
const run = spawnSync(
  join(root, "node_modules/.bin/depcruise"),
  ["--config", ".dependency-cruiser.mjs", "--output-type", "json", ...folders],
  { cwd: root, encoding: "utf8", maxBuffer: 1e9 },
);
if (!run.stdout) {
  process.stderr.write(run.stderr);
  process.exit(1);
}
const { summary } = JSON.parse(run.stdout);
for (const { rule, from, to } of summary.violations) {
  process.stdout.write(`${rule.severity} ${rule.name}: ${from} → ${to}\n`);
}
process.stdout.write(
  `layers: ${summary.totalCruised} modules, ${summary.violations.length} violations\n`,
);
if (summary.totalCruised < 50)
  process.stderr.write(
    "dependency-cruiser read hardly any module: check its TypeScript version.\n",
  );
process.exit(summary.error === 0 && summary.totalCruised >= 50 ? 0 : 1);
