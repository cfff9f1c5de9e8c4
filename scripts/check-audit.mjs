// Checks the packages of the lock file against the registry's advisories. `scripts/audit-exceptions.json` lists those that we
// live with, each until a day and with its reason. A registry that cannot be reached, or has no audits, fails nothing.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { advisoriesIn, judgeAdvisories } from "./lib/advisories.mjs";
import { root } from "./lib/home.mjs";

const patienceMs = 60_000;
const exceptions = JSON.parse(readFileSync(join(root, "scripts/audit-exceptions.json"), "utf8"));
const advisories = advisoriesIn(await audit());
if (advisories === null) process.stdout.write("audit: the registry does not answer; not checked\n");
else {
  const wrong = judgeAdvisories(advisories, exceptions, new Date().toISOString().slice(0, 10));
  for (const words of wrong) process.stdout.write(`error advisory ${words}\n`);
  process.stdout.write(`audit: ${advisories.length} advisories, ${exceptions.length} excused\n`);
  process.exitCode = wrong.length > 0 ? 1 : 0;
}

/** What npm prints: its status says only whether there are advisories. */
function audit() {
  return new Promise((resolve) => {
    const child = spawn("npm", ["audit", "--json", "--package-lock-only", "--fetch-retries=0"], {
      cwd: root,
      stdio: ["ignore", "pipe", "ignore"],
      timeout: patienceMs,
    });
    let text = "";
    child.stdout.on("data", (bytes) => {
      text += bytes;
    });
    child.on("error", () => resolve(""));
    child.on("close", () => resolve(text));
  });
}
