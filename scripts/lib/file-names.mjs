import { basename, dirname } from "node:path";

/** Roles that a file may have in a layer, whatever it exports. What has none is named by what it exports. */
export const roles = {
  components: {
    index: "what others may import",
    api: "client calls and query options",
    appearance: "how states look",
    messages: "what a worker is told, and tells",
  },
  domain: {
    index: "what others may import",
    queries: "reads",
    commands: "writes",
    states: "the allowed transitions",
    types: "what both speak of",
  },
  workers: {
    index: "what others may import",
    main: "the process",
    processor: "the job",
  },
};

/** What runs in a thread, child or web worker of its own is called like what starts it. */
const ownThread = /[.](thread|child|worker)$/;
const exported =
  /^export (?:async )?(?:declare )?(?:abstract )?(?:function\*?|const|class|interface|type) (\w+)/gm;

/**
 * Files of a layer whose names say neither a role nor what they export: some export's name must hold every word of it,
 * in the singular.
 *
 * @param {readonly { path: string, text: string }[]} files Paths from the project's root.
 * @returns {string[]} Their paths.
 */
export function findMisnamed(files) {
  return files.filter(isMisnamed).map(({ path }) => path);
}

function isMisnamed({ path, text }) {
  const layer = path.slice(0, path.indexOf("/"));
  const name = basename(path).replace(/[.]tsx?$/, "");
  if (Object.hasOwn(roles[layer] ?? {}, name) || ownThread.test(name)) return false;
  const names = [...text.matchAll(exported)].map(([, each]) => each.toLowerCase());
  const words = name.split("-").map(singular);
  return !names.some((each) => words.every((word) => each.includes(word)));
}

const singular = (word) => word.replace(/(ies|es|s)$/, "");

/**
 * Folders of a layer that others import from and that have no `index.ts` to say what they may.
 *
 * @param {readonly string[]} paths Of all files, from the project's root.
 * @returns {string[]} Such folders, one level below the layer.
 */
export function findWithoutIndex(paths) {
  const folders = new Set(
    paths
      .map((path) => path.split("/").slice(0, 2).join("/"))
      .filter((path) => !path.includes(".")),
  );
  return [...folders].filter(
    (folder) =>
      !paths.some(
        (path) => dirname(path) === folder && /^(index|main)[.]tsx?$/.test(basename(path)),
      ),
  );
}
