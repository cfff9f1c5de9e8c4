// Bundles the Node entries: every main.ts of a process, every *.thread.ts and *.child.ts, into
// node_modules/.cache/boardwalk/<hash of the sources>/. Prints the folder. A second run does nothing.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { hashOf } from "./lib/hash.mjs";
import { root } from "./lib/home.mjs";
import { openly } from "./lib/umask.mjs";

const sources = [
  "lib",
  "domain",
  "engines",
  "compiler",
  "simulator",
  "boards",
  "proto",
  "prisma",
  "workers",
  "gateway",
  "board-server",
  "portal",
  "scripts/entries",
  "scripts/lib",
  "package-lock.json",
  "tsconfig.json",
];

/** `workers/builds/plan.thread.ts` is bundled as `workers-builds-plan.thread.mjs`. */
const bundleName = (path) => path.replace(/\.ts$/, "").replaceAll("/", "-");

function entryPoints() {
  const patterns = [
    "{portal,gateway,board-server}/main.ts",
    "workers/*/main.ts",
    "scripts/entries/*.ts",
    "{workers,gateway,board-server,lib}/**/*.{thread,child}.ts",
  ];
  const found = patterns.flatMap((pattern) => globFiles(pattern));
  return Object.fromEntries(found.map((path) => [bundleName(path), join(root, path)]));
}

/** Node 20 has no glob of its own: the few forms needed here. */
function globFiles(pattern) {
  const walk = (folder) =>
    existsSync(join(root, folder))
      ? readdirSync(join(root, folder)).flatMap((name) => {
          const path = `${folder}/${name}`;
          return statSync(join(root, path)).isDirectory() ? walk(path) : [path];
        })
      : [];
  const tops = ["portal", "gateway", "board-server", "workers", "lib", "scripts/entries"];
  const expression = new RegExp(
    `^${pattern
      .replaceAll(".", "\\.")
      .replaceAll("**/", "§")
      .replaceAll("*", "[^/]*")
      .replaceAll("§", "(?:.*/)?")
      .replace(/\{([^}]*)\}/g, (_, names) => `(?:${names.replaceAll(",", "|")})`)}$`,
  );
  return tops.flatMap(walk).filter((path) => expression.test(path));
}

/** Bundles what is not bundled yet and answers the folder. */
export async function bundle() {
  const hash = hashOf(sources).slice(0, 16);
  const cache = join(root, "node_modules/.cache/boardwalk");
  const folder = join(cache, hash);
  if (existsSync(folder)) return folder;
  const { build } = await import("esbuild");
  const draft = `${folder}.${process.pid}`;
  openly(() => mkdirSync(draft, { recursive: true }));
  const options = {
    absWorkingDir: root,
    entryPoints: entryPoints(),
    outdir: draft,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    sourcemap: "linked",
    logLevel: "error",
  };
  // The program that writes is started in here.
  await openly(() => build(options));
  // Enters every plan: another compiler makes other artifacts.
  const compilers = ["engines", "compiler", "simulator", "boards", "lib/common/fixed-point"];
  const digest = `sha256:${hashOf(compilers)}`;
  openly(() => writeFileSync(join(draft, "source-digest"), digest));
  try {
    renameSync(draft, folder);
  } catch {
    rmSync(draft, { recursive: true, force: true }); // another run was first
  }
  const old = readdirSync(cache)
    .map((name) => ({ name, at: statSync(join(cache, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at)
    .slice(6);
  for (const { name } of old) rmSync(join(cache, name), { recursive: true, force: true });
  return folder;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.stdout.write(`${await bundle()}\n`);
}
