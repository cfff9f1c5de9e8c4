const notProduct = /[.](test|bench)[.]tsx?$|(^|\/)generated\//;

/**
 * Rings between what lies in one folder, files and folders alike. An import counts where its two paths part:
 * `a/b/c/x.ts → a/d/y.ts` leads from `b` to `d` in `a`. A ring of folders need not be one of files, and stands in the way of
 * whoever wants to understand, or take out, one folder without the others.
 *
 * @param {readonly { source: string, dependencies: readonly { resolved: string }[] }[]} modules Of dependency-cruiser's output.
 * @returns {{ folder: string, names: string[], imports: string[] }[]} Shortest rings; one import for each of their steps.
 */
export function findFolderRings(modules) {
  return [...graphsOf(modules)].flatMap(([folder, graph]) => {
    const rings = new Map();
    for (const start of graph.keys()) {
      const names = shortestRing(start, graph);
      if (names) entryOf(rings, names.toSorted().join(), () => names);
    }
    return [...rings.values()].map((names) => ({
      folder,
      names,
      imports: names.map((name, at) => graph.get(name).get(names[(at + 1) % names.length])),
    }));
  });
}

/** Of each folder: what in it imports what in it, with the first such import. */
function graphsOf(modules) {
  const graphs = new Map();
  for (const { source, dependencies } of modules) {
    for (const { resolved } of dependencies) {
      if (source === resolved || notProduct.test(source) || notProduct.test(resolved)) continue;
      const [from, to] = [source.split("/"), resolved.split("/")];
      const depth = from.findIndex((name, at) => name !== to[at]);
      const graph = entryOf(graphs, from.slice(0, depth).join("/"), () => new Map());
      const targets = entryOf(graph, from[depth], () => new Map());
      entryOf(targets, to[depth], () => `${source} → ${resolved}`);
    }
  }
  return graphs;
}

function entryOf(map, key, make) {
  if (!map.has(key)) map.set(key, make());
  return map.get(key);
}

/** The names of the shortest way from one back to itself, breadth first; null without any. */
function shortestRing(start, graph) {
  const ways = [[start]];
  const seen = new Set();
  for (const way of ways) {
    for (const next of graph.get(way.at(-1))?.keys() ?? []) {
      if (next === start) return way;
      if (!seen.has(next)) ways.push([...way, next]);
      seen.add(next);
    }
  }
  return null;
}
