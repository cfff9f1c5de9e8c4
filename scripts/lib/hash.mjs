import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { root } from "./home.mjs";

const skipped = new Set(["node_modules", ".next", ".boardwalk", ".git", "samples"]);

function* filesOf(path) {
  const full = join(root, path);
  if (!existsSync(full)) return;
  if (!statSync(full).isDirectory()) {
    yield path;
    return;
  }
  for (const name of readdirSync(full).sort()) {
    if (!skipped.has(name)) yield* filesOf(`${path}/${name}`);
  }
}

/** Hex SHA-256 over names and contents of files and folders of the checkout; tests are left out. */
export function hashOf(paths) {
  const hash = createHash("sha256");
  for (const path of paths) {
    for (const file of filesOf(path)) {
      if (/\.test\.tsx?$/.test(file)) continue;
      const bytes = readFileSync(join(root, file));
      hash.update(`${file}\0${bytes.length}\0`).update(bytes);
    }
  }
  return hash.digest("hex");
}
