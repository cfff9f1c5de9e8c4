import type {
  ElementwiseOperand,
  ElementwiseOperation,
  ElementwiseProgram,
} from "@/lib/common/elementwise";
import { clipAttributes, isElementwiseNode, parametersOf } from "../graph/elementwise-node";
import type { Graph, GraphNode } from "../graph/graph";
import { refuse } from "../graph/refuse";

/** Nodes in a row that are one function of each element of one value. */
export interface ElementwiseRegion {
  /** The first node, for messages. */
  readonly node: GraphNode;
  readonly program: ElementwiseProgram;
  /** Name of what comes out. */
  readonly output: string;
  /** Nodes taken. */
  readonly length: number;
}

/** Places at which values are read, by name: how often, and where last. */
export type Uses = ReadonlyMap<string, { readonly count: number; readonly last: number }>;

/** Operators of one region; the longest formula in use has eight. */
const mostOperators = 64;

export function usesOf(nodes: readonly GraphNode[]): Uses {
  const uses = new Map<string, { count: number; last: number }>();
  for (const [last, { inputs }] of nodes.entries()) {
    for (const name of new Set(inputs)) {
      uses.set(name, { count: (uses.get(name)?.count ?? 0) + 1, last });
    }
  }
  return uses;
}

/**
 * The smallest run of nodes from `start` on that is a function of `value` alone and of which nothing else is used later:
 * one operator, or `x · sigmoid(x)`, which reads its operand twice.
 *
 * @param isShared Whether `value` itself may be used later.
 * @returns Null where there is none.
 * @throws {AppError} `OPERATOR_UNSUPPORTED` for bounds that are no numbers.
 */
export function elementwiseRegion(
  graph: Graph,
  { nodes, uses }: { readonly nodes: readonly GraphNode[]; readonly uses: Uses },
  start: number,
  { value, isShared }: { readonly value: string; readonly isShared: boolean },
): ElementwiseRegion | null {
  const places = new Map([[value, 0]]);
  const program: ElementwiseOperation[] = [];
  const kept = new Set(graph.outputs.map(({ name }) => name));
  for (let end = start; end < Math.min(nodes.length, start + mostOperators); end++) {
    const node = nodes[end];
    const operations = node && operationsOf(graph, node, places, program.length);
    if (!node || !operations) return null;
    program.push(...operations);
    const output = node.outputs[0] ?? "";
    places.set(output, operations.length === 0 ? placeOfFirst(node, places) : program.length);
    const isOpen = [...places.keys()].some(
      (name) =>
        name !== output &&
        !(isShared && name === value) &&
        ((uses.get(name)?.last ?? -1) > end || kept.has(name)),
    );
    const first = nodes[start];
    if (!isOpen && first) return { node: first, program, output, length: end - start + 1 };
  }
  return null;
}

const placeOfFirst = (node: GraphNode, places: ReadonlyMap<string, number>): number =>
  places.get(node.inputs[0] ?? "") ?? 0;

/** A node as operations on what is there already; null if it reads anything else, or is no function of single elements. */
function operationsOf(
  graph: Graph,
  node: GraphNode,
  places: ReadonlyMap<string, number>,
  before: number,
): ElementwiseOperation[] | null {
  if (!isElementwiseNode(node)) return null;
  if (node.operator === "Clip") return clipOf(graph, node, places, before);
  const operands = node.inputs.map((name) => operandOf(graph, name, places));
  if (operands.some((operand) => operand === null) || operands.length > 2) return null;
  if (!operands.some((operand) => operand && "from" in operand)) return null;
  if (node.operator === "Identity") return [];
  return [
    {
      operator: node.operator,
      operands: operands.filter((operand) => operand !== null),
      parameters: parametersOf(node),
    },
  ];
}

function operandOf(
  graph: Graph,
  name: string,
  places: ReadonlyMap<string, number>,
): ElementwiseOperand | null {
  const from = places.get(name);
  if (from !== undefined) return { from };
  const constant = graph.constants.get(name);
  if (constant?.values.length !== 1) return null;
  return { constant: constant.values[0] ?? 0 };
}

/** `Clip` is the larger of it and its lower bound, then the smaller of that and its upper one. */
function clipOf(
  graph: Graph,
  node: GraphNode,
  places: ReadonlyMap<string, number>,
  before: number,
): ElementwiseOperation[] | null {
  const place = places.get(node.inputs[0] ?? "");
  if (place === undefined) return null;
  const attributes = clipAttributes(node);
  const bound = (index: 1 | 2, otherwise: number): number => {
    const name = node.inputs[index] ?? "";
    if (name === "") return otherwise;
    const [value, ...more] = graph.constants.get(name)?.values ?? [];
    if (value === undefined || Number.isNaN(value) || more.length > 0) {
      throw refuse(node, "has bounds that are no constant numbers");
    }
    return value;
  };
  const bounds = [
    { operator: "Max", constant: bound(1, attributes.min) },
    { operator: "Min", constant: bound(2, attributes.max) },
  ].filter(({ constant }) => Number.isFinite(constant));
  return bounds.map(({ operator, constant }, index) => ({
    operator,
    operands: [{ from: index === 0 ? place : before + index }, { constant }],
    parameters: {},
  }));
}
