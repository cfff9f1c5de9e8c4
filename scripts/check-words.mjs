// Checks that pages and components take what they show from the catalogues of `messages/`, in both languages.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "./lib/home.mjs";
import { visibleWords } from "./lib/visible-words.mjs";

/** Specimens for developers, and the page that stands in when nothing else can be shown. */
const exempt = ["components/design/", "app/global-error.tsx"];

const files = ["app", "components"]
  .flatMap((layer) =>
    readdirSync(join(root, layer), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(".tsx"))
      .map(({ parentPath, name }) => relative(root, join(parentPath, name))),
  )
  .filter((path) => !exempt.some((prefix) => path.startsWith(prefix)));
const found = files.flatMap((path) =>
  visibleWords(path, readFileSync(join(root, path), "utf8")).map((each) => ({ path, ...each })),
);
for (const { path, line, words } of found)
  process.stdout.write(`error words in ${path}:${line}: ${words}\n`);
process.stdout.write(`words: ${files.length} files, ${found.length} texts outside of messages/\n`);
process.exit(found.length === 0 && files.length > 50 ? 0 : 1);
