// Checks the layer table with dependency-cruiser, then that no folders import each other in a ring, and that it read the
// sources at all: with a TypeScript it does not understand it reads none and still says that all is well.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { layers } from "../.dependency-cruiser.mjs";
import { findFolderRings } from "./lib/folder-rings.mjs";
import { root } from "./lib/home.mjs";

/** The layers of the table, and what ships them. */
const folders = [...layers.filter((layer) => !["prisma", "public"].includes(layer)), "scripts"];
const run = spawnSync(
  join(root, "node_modules/.bin/depcruise"),
  ["--config", ".dependency-cruiser.mjs", "--output-type", "json", ...folders],
  { cwd: root, encoding: "utf8", maxBuffer: 1e9 },
);
if (!run.stdout) {
  process.stderr.write(run.stderr);
  process.exit(1);
}
const { summary, modules } = JSON.parse(run.stdout);
for (const { rule, from, to } of summary.violations) {
  process.stdout.write(`${rule.severity} ${rule.name}: ${from} → ${to}\n`);
}
const rings = findFolderRings(modules);
for (const { folder, names, imports } of rings) {
  const ring = [...names, names[0]].join(" → ");
  process.stdout.write(`error ring in ${folder || "."}: ${ring}\n  ${imports.join("\n  ")}\n`);
}
process.stdout.write(
  `layers: ${summary.totalCruised} modules, ${summary.violations.length} violations, ${rings.length} rings of folders\n`,
);
if (summary.totalCruised < 50)
  process.stderr.write(
    "dependency-cruiser read hardly any module: check its TypeScript version.\n",
  );
process.exit(summary.error === 0 && rings.length === 0 && summary.totalCruised >= 50 ? 0 : 1);
