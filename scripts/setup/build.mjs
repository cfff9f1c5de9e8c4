import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundle } from "../bundle.mjs";
import { hashOf } from "../lib/hash.mjs";
import { root } from "../lib/home.mjs";
import { run } from "../lib/run.mjs";
import { openly } from "../lib/umask.mjs";

const bin = (name) => join(root, "node_modules/.bin", name);

/** Generates the database client when the schema changed. */
export async function generateClient(home) {
  const mark = join(root, "prisma/generated/.boardwalk-hash");
  const wanted = hashOf(["prisma/models", "prisma.config.ts"]);
  if (existsSync(mark) && readFileSync(mark, "utf8") === wanted) return;
  await run(bin("prisma"), ["generate"], {
    cwd: root,
    // The generator asks for a schema engine that it does not use.
    env: { ...home.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath },
    logFile: home.logFile("prisma-generate"),
    shared: true,
    fix: "The database client could not be generated. Remove node_modules and start again.",
  });
  openly(() => writeFileSync(mark, wanted));
}

export { bundle };

const pageSources = [
  "app",
  "components",
  "messages",
  "domain",
  "engines",
  "compiler",
  "simulator",
  "boards",
  "lib",
  "proto",
  "prisma/models",
  "public",
  "instrumentation-client.ts",
  "next.config.ts",
  "next.config.mjs",
  "postcss.config.mjs",
  "package-lock.json",
  "tsconfig.json",
];

/** Builds the pages when their sources changed. */
export async function buildPages(home) {
  const mark = join(root, ".next/boardwalk-hash");
  const wanted = hashOf(pageSources);
  if (existsSync(mark) && readFileSync(mark, "utf8") === wanted) return "unchanged";
  await run(bin("next"), ["build"], {
    cwd: root,
    env: { ...home.env, NODE_ENV: "production" },
    logFile: home.logFile("next-build"),
    shared: true,
    fix: "The pages could not be built.",
  });
  openly(() => writeFileSync(mark, wanted));
  return undefined;
}
