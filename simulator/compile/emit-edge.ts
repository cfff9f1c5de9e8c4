import type { CodeWriter, FunctionSource } from "@/lib/common/wasm";
import type { Node } from "./circuit";
import { analyse } from "./cleanliness";
import type { EdgePlan } from "./clocking/plan-edge";
import type { Design } from "./design";
import {
  cleanOperands,
  commitInParts,
  computedOf,
  computeInParts,
  nodesPerFunction,
} from "./emit-program";
import { FunctionEmitter, type Shared } from "./function-emitter";
import type { Layout } from "./layout";
import { type Commit, operandsOf, orderOf } from "./program";

export interface EmittedEdge {
  readonly functions: readonly FunctionSource[];
  /** Writes the calls that make one edge. @param first Index of the first of the functions. */
  readonly drive: (code: CodeWriter, first: number) => void;
}

type Store = Extract<Commit, { kind: "store" }>;

interface EmittedBlock {
  readonly gate: Node;
  /** What the block alone computes. */
  readonly nodes: readonly Node[];
  readonly stores: readonly Store[];
  readonly isOrdered: boolean;
}

/** An edge in three steps: what is always computed and what more than one block needs, the blocks, and what is always stored. */
interface EdgeProgram {
  readonly nodes: readonly Node[];
  /** Nodes of the first step that the others take. */
  readonly kept: ReadonlySet<Node>;
  readonly blocks: readonly EmittedBlock[];
  readonly commits: readonly Commit[];
}

/** A value of more operations that several blocks need is computed once, whether or not one of them is clocked. */
const mostRepeated = 6;

export function emitEdge(plan: EdgePlan, design: Design, layout: Layout): EmittedEdge {
  const store = ({ slot, value }: EdgePlan["always"][number]): Store => ({
    kind: "store",
    node: value,
    offset: layout.slotOffset(slot),
  });
  const commits: Commit[] = [
    ...plan.always.map(store),
    ...design.writes.map((write) => ({ kind: "write", write }) as const),
  ];
  const drafts = plan.blocks.map((block) => ({ ...block, stores: block.transfers.map(store) }));
  const gates = plan.blocks.map(({ gate }) => gate);
  const all = [...commits, ...drafts.flatMap(({ stores }) => stores)];
  const cleanliness = analyse(orderOf([...all.flatMap(operandsOf), ...gates]), [
    ...all.flatMap(cleanOperands),
    ...gates,
  ]);
  const program = divide(commits, drafts);
  const size = [program, ...program.blocks].reduce((sum, { nodes }) => sum + nodes.length, 0);
  const shared = { cleanliness, design, layout };
  return size + all.length <= nodesPerFunction
    ? inOneFunction(program, shared)
    : inFunctions(program, shared);
}

function divide(
  commits: readonly Commit[],
  drafts: readonly Omit<EmittedBlock, "nodes">[],
): EdgeProgram {
  const rootsOf = ({ stores }: Pick<EmittedBlock, "stores">) => stores.map(({ node }) => node);
  const first = [...commits.flatMap(operandsOf), ...drafts.map(({ gate }) => gate)];
  const users = new Map<Node, number>();
  const already = new Set(orderOf(first));
  for (const draft of drafts) {
    for (const node of computedOf(orderOf(rootsOf(draft), already))) {
      users.set(node, (users.get(node) ?? 0) + 1);
    }
  }
  const isLong = longerThan(mostRepeated);
  const shared = [...users].flatMap(([node, count]) => (count > 1 && isLong(node) ? [node] : []));
  const order = orderOf([...first, ...shared]);
  const before = new Set(order);
  const blocks = drafts.map((draft) => ({
    ...draft,
    nodes: computedOf(orderOf(rootsOf(draft), before)),
  }));
  const taken = blocks.flatMap((block) => [
    ...rootsOf(block),
    ...block.nodes.flatMap(({ args }) => args),
  ]);
  const crossing = computedOf(taken).filter((node) => before.has(node));
  return { nodes: computedOf(order), kept: new Set([...first, ...crossing]), blocks, commits };
}

/** Whether computing a value takes more than `most` operations. */
function longerThan(most: number): (node: Node) => boolean {
  const known = new Map<Node, number>();
  const operations = (node: Node): number => {
    if (node.op === "const" || node.op === "load") return 0;
    const made = known.get(node);
    if (made !== undefined) return made;
    let sum = 1;
    for (const arg of node.args) {
      if (sum > most) break;
      sum += operations(arg);
    }
    known.set(node, sum);
    return sum;
  };
  return (node) => operations(node) > most;
}

function inOneFunction({ nodes, kept, blocks, commits }: EdgeProgram, shared: Shared): EmittedEdge {
  const spills = new Map<Node, number>();
  const emitter = new FunctionEmitter(shared, { nodes, kept, spills });
  emitter.compute();
  for (const block of blocks) {
    emitter.when(block.gate, (open) => {
      emitBlock(block, (own) => open({ nodes: block.nodes, kept: own, spills }));
    });
  }
  for (const commit of commits) emitter.commit(commit);
  return {
    functions: [emitter.finish()],
    drive: (code, first) => code.index("call", first),
  };
}

function emitBlock(
  { stores, isOrdered }: EmittedBlock,
  open: (kept: ReadonlySet<Node>) => FunctionEmitter,
): FunctionEmitter {
  if (isOrdered) {
    const emitter = open(new Set());
    emitter.transfer(stores);
    return emitter;
  }
  const emitter = open(new Set(stores.map(({ node }) => node)));
  emitter.compute();
  for (const store of stores) emitter.commit(store);
  return emitter;
}

/** Long edges: values that cross functions lie in slots, and each block has functions of its own. */
function inFunctions({ nodes, kept, blocks, commits }: EdgeProgram, shared: Shared): EmittedEdge {
  const spills = new Map<Node, number>();
  const before = computeInParts(nodes, { kept, spills, shared });
  const bodies = blocks.map((block) => {
    const { stores } = block;
    if (block.nodes.length + stores.length <= nodesPerFunction) {
      const open = (own: ReadonlySet<Node>) =>
        new FunctionEmitter(shared, { nodes: block.nodes, kept: own, spills });
      return [emitBlock(block, open).finish()];
    }
    const roots = new Set(stores.map(({ node }) => node));
    return [
      ...computeInParts(block.nodes, { kept: roots, spills, shared }),
      ...commitInParts(stores, { spills, shared }),
    ];
  });
  const after = commitInParts(commits, { spills, shared });
  const drive = (code: CodeWriter, first: number): void => {
    let index = first;
    const call = (functions: readonly FunctionSource[]): void => {
      for (let left = functions.length; left > 0; left--) code.index("call", index++);
    };
    call(before);
    blocks.forEach(({ gate }, at) => {
      code.constant("i32", 0n).memory("i32.load", spills.get(gate) ?? 0);
      code.open("if");
      call(bodies[at] ?? []);
      code.op("end");
    });
    call(after);
  };
  return { functions: [...before, ...bodies.flat(), ...after], drive };
}
