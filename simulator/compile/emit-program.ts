import type { FunctionSource } from "@/lib/common/wasm";
import type { Node } from "./circuit";
import { analyse } from "./cleanliness";
import type { Design } from "./design";
import { FunctionEmitter, type Shared } from "./function-emitter";
import type { Layout } from "./layout";
import { type Commit, operandsOf, type Program } from "./program";

/**
 * Nodes per function. Engines refuse functions of some megabytes and optimise long ones slowly; a value that
 * crosses functions costs a store and a load.
 */
export const nodesPerFunction = 2000;

/** The functions, without parameters or results, that run a program when called in order. */
export function emitProgram(program: Program, design: Design, layout: Layout): FunctionSource[] {
  const nodes = computedOf(program.order);
  const cleanliness = analyse(program.order, program.commits.flatMap(cleanOperands));
  const shared = { cleanliness, design, layout };
  const kept = new Set(program.commits.flatMap(operandsOf));
  if (nodes.length + program.commits.length <= nodesPerFunction) {
    const emitter = new FunctionEmitter(shared, { nodes, kept, spills: new Map() });
    emitter.compute();
    for (const commit of program.commits) emitter.commit(commit);
    return [emitter.finish()];
  }
  const spills = new Map<Node, number>();
  const functions = computeInParts(nodes, { kept, spills, shared });
  return [...functions, ...commitInParts(program.commits, { spills, shared })];
}

/** The nodes of an order that an operation computes. */
export const computedOf = (order: readonly Node[]): Node[] =>
  order.filter((node) => node.op !== "const" && node.op !== "load");

/** Values of a commit that need to be clean: slots always, memory elements unless the store itself cuts the value. */
export function cleanOperands(commit: Commit): Node[] {
  if (commit.kind === "store") return [commit.node];
  const { enable, address, data, mask } = commit.write;
  const cuts = [8, 16, 32, 64].includes(data.width);
  return [enable, address, ...(mask ? [mask] : cuts ? [] : [data])];
}

/**
 * Functions that compute many nodes.
 *
 * @param kept What other functions need: it gets slots, which are added to `spills`.
 */
export function computeInParts(
  nodes: readonly Node[],
  {
    kept,
    spills,
    shared,
  }: {
    readonly kept: ReadonlySet<Node>;
    readonly spills: Map<Node, number>;
    readonly shared: Shared;
  },
): FunctionSource[] {
  const spill = (node: Node): void => {
    if (node.op === "const" || spills.has(node)) return;
    spills.set(node, shared.layout.addSlot());
  };
  const all = [...[...kept].filter((node) => node.op === "load"), ...nodes];
  const parts: (readonly Node[])[] = [];
  for (let from = 0; from < all.length; from += nodesPerFunction) {
    parts.push(all.slice(from, from + nodesPerFunction));
  }
  for (const node of kept) spill(node);
  for (const part of parts) {
    const own = new Set(part);
    for (const arg of part.flatMap(({ args }) => args)) {
      if (!own.has(arg) && arg.op !== "load") spill(arg);
    }
  }
  return parts.map((part) => {
    const emitter = new FunctionEmitter(shared, { nodes: part, kept: new Set(), spills });
    emitter.compute();
    return emitter.finish();
  });
}

/** Functions that commit values out of their slots. */
export function commitInParts(
  commits: readonly Commit[],
  { spills, shared }: { readonly spills: ReadonlyMap<Node, number>; readonly shared: Shared },
): FunctionSource[] {
  const functions: FunctionSource[] = [];
  for (let from = 0; from < commits.length; from += nodesPerFunction) {
    const emitter = new FunctionEmitter(shared, { nodes: [], kept: new Set(), spills });
    for (const commit of commits.slice(from, from + nodesPerFunction)) emitter.commit(commit);
    functions.push(emitter.finish());
  }
  return functions;
}
