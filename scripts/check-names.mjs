// Checks that files in `domain/`, `workers/` and `components/` are called by their role or by what they export, and that each
// folder there says in `index.ts` what others may import.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { findMisnamed, findWithoutIndex, roles } from "./lib/file-names.mjs";
import { root } from "./lib/home.mjs";

const files = Object.keys(roles).flatMap((layer) =>
  readdirSync(join(root, layer), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /[.]tsx?$/.test(entry.name))
    .filter(({ name }) => !/[.](test|bench)[.]tsx?$/.test(name))
    .map(({ parentPath, name }) => join(parentPath, name)),
);
const named = files.map((path) => ({
  path: relative(root, path),
  text: readFileSync(path, "utf8"),
}));
const misnamed = findMisnamed(named);
const withoutIndex = findWithoutIndex(named.map(({ path }) => path));
for (const path of misnamed) {
  const known = Object.keys(roles[path.slice(0, path.indexOf("/"))]).join(", ");
  process.stdout.write(`error name of ${path}: neither a role (${known}) nor what it exports\n`);
}
for (const folder of withoutIndex) process.stdout.write(`error no index.ts in ${folder}\n`);
process.stdout.write(`names: ${files.length} files, ${misnamed.length} misnamed\n`);
process.exit(misnamed.length + withoutIndex.length === 0 && files.length > 50 ? 0 : 1);
