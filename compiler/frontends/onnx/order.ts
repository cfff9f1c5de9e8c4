import { fail } from "@/lib/common/errors";
import { counted, quoted } from "../../graph/words";

/** A node with the names it needs, its subgraphs' included. */
export interface Ordered {
  readonly name: string;
  readonly needs: readonly string[];
  readonly outputs: readonly string[];
}

/**
 * Sorts nodes so that each comes after what it reads; a file that has them so keeps its order. Linear, no recursion.
 *
 * @throws {AppError} `MODEL_CYCLE` naming the nodes of one cycle.
 */
export function inOrder<T extends Ordered>(nodes: readonly T[]): T[] {
  const maker = new Map(nodes.flatMap((node) => node.outputs.map((output) => [output, node])));
  const waitsFor = new Map<T, number>();
  const readers = new Map<T, T[]>();
  for (const node of nodes) {
    const makers = new Set(node.needs.flatMap((name) => maker.get(name) ?? []));
    waitsFor.set(node, makers.size);
    for (const before of makers) {
      const list = readers.get(before);
      if (list) list.push(node);
      else readers.set(before, [node]);
    }
  }
  const position = new Map(nodes.map((node, index) => [node, index]));
  const follows = (node: T, before: T) => (position.get(before) ?? 0) < (position.get(node) ?? 0);
  if ([...readers].every(([before, after]) => after.every((node) => follows(node, before)))) {
    return [...nodes];
  }
  const sorted: T[] = [];
  const ready = nodes.filter((node) => waitsFor.get(node) === 0);
  for (let index = 0; index < ready.length; index += 1) {
    const node = ready[index];
    if (node === undefined) break;
    sorted.push(node);
    for (const reader of readers.get(node) ?? []) {
      const left = (waitsFor.get(reader) ?? 0) - 1;
      waitsFor.set(reader, left);
      if (left === 0) ready.push(reader);
    }
  }
  if (sorted.length < nodes.length) throw cycleIn(nodes, new Set(sorted), maker);
  return sorted;
}

/** Walks backwards from any node that was never ready, through others like it, until one comes again. */
function cycleIn<T extends Ordered>(
  nodes: readonly T[],
  sorted: ReadonlySet<T>,
  maker: ReadonlyMap<string, T>,
) {
  const path: T[] = [];
  const seen = new Set<T>();
  let node = nodes.find((candidate) => !sorted.has(candidate));
  while (node !== undefined && !seen.has(node)) {
    seen.add(node);
    path.push(node);
    node = node.needs
      .map((name) => maker.get(name))
      .find((before) => before !== undefined && !sorted.has(before));
  }
  const cycle = node === undefined ? path : path.slice(path.indexOf(node));
  const forward = cycle.toReversed();
  const inCycle = new Set(cycle);
  const earliest = nodes.find((candidate) => inCycle.has(candidate));
  const first = earliest === undefined ? 0 : forward.indexOf(earliest);
  const names = [...forward.slice(first), ...forward.slice(0, first)].map(({ name }) =>
    quoted(name),
  );
  const shown = names.slice(0, 5);
  const more = names.length - shown.length;
  const list = more > 0 ? `${shown.join(", ")} and ${counted(more, "more node")}` : listed(shown);
  return fail("MODEL_CYCLE", `The graph has a cycle through ${list}.`, {
    hint: "A model must compute its results in one direction; export it again.",
  });
}

function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}
