import type { ElementwiseProgram } from "@/lib/common/elementwise";
import type { Graph, GraphNode } from "../graph/graph";
import { neededNodes } from "../graph/needed-nodes";
import { refuse, refuseModel } from "../graph/refuse";
import { elementwiseRegion, usesOf } from "./elementwise-region";
import { followHead, type Head, plainHead } from "./heads";
import { type Translator, translatorOf } from "./operators";
import type { Step } from "./step";

/** A graph as one chain of steps, and what each output is made of its end. */
export interface Walk {
  readonly steps: readonly Step[];
  /** By output, in the graph's order. */
  readonly heads: readonly Head[];
}

/**
 * Follows the one value that runs through a graph, from its input to all its outputs.
 *
 * @throws {AppError} `OPERATOR_UNSUPPORTED` naming operator and node, `MODEL_UNSUPPORTED` for outputs that are no end.
 */
export function walk(graph: Graph, inputName: string, inputShape: readonly number[]): Walk {
  const nodes = neededNodes(graph);
  const lastDense = nodes.findLastIndex(({ operator }) => makesSums.has(operator));
  const uses = usesOf(nodes);
  const steps: Step[] = [];
  const heads = new Map<string, Head>();
  let value = inputName;
  let shape = inputShape;

  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index];
    if (!node) break;
    const head = headBefore(node, heads);
    if (head) {
      heads.set(node.outputs[0] ?? "", followHead({ graph, node, head, heads }));
      continue;
    }
    const position = positionOf(graph, node, value);
    const translate = translatorOf(node);
    const isShared = (uses.get(value)?.count ?? 0) > 1;
    const isEnd = index > lastDense;
    const region =
      isShared || !translate ? elementwiseRegion(graph, { nodes, uses }, index, value) : null;
    if (region && !(isEnd && isSigmoid(region.program))) {
      const { name, operator } = region.node;
      steps.push({ kind: "elementwise", name, operator, program: region.program });
      value = region.output;
      index += region.length - 1;
      continue;
    }
    if (position === null) {
      throw refuse(node, "joins or splits the chain of layers, which FPGA boards do not take");
    }
    if (isEnd && isHead(node)) {
      heads.set(node.outputs[0] ?? "", headOf(graph, node, shape, translate));
      continue;
    }
    if (!translate) throw refuse(node);
    const result = translate(viewOf(graph, node, shape, position));
    if (result.steps.some(({ kind }) => kind === "softmax" || kind === "argmax")) {
      const next = nodes[lastDense];
      throw next ? refuse(next, `comes after the model's ${node.operator}`) : refuse(node);
    }
    steps.push(...result.steps);
    shape = result.shape;
    value = node.outputs[0] ?? "";
  }
  heads.set(value, plainHead("none"));
  return { steps, heads: graph.outputs.map(({ name }) => headNamed(heads, name)) };
}

const makesSums = new Set(["Gemm", "MatMul"]);
const isHead = ({ operator }: GraphNode) =>
  operator === "Softmax" || operator === "Sigmoid" || operator === "ArgMax";
const isSigmoid = (program: ElementwiseProgram) =>
  program.length === 1 && program[0]?.operator === "Sigmoid";

function headBefore(node: GraphNode, heads: ReadonlyMap<string, Head>): Head | undefined {
  return node.inputs.map((name) => heads.get(name)).find((head) => head !== undefined);
}

/** Which input of a node is the chain's value; null where it reads other computed values, or it twice. */
function positionOf(graph: Graph, node: GraphNode, value: string): number | null {
  const computed = node.inputs.flatMap((name, index) =>
    name !== "" && !graph.constants.has(name) ? [index] : [],
  );
  const [position] = computed;
  if (position === undefined || computed.length > 1) return null;
  return node.inputs[position] === value ? position : null;
}

function viewOf(graph: Graph, node: GraphNode, shape: readonly number[], position: number) {
  return {
    node,
    operand: { shape, position },
    opset: graph.opset,
    constant: (index: number) => graph.constants.get(node.inputs[index] ?? "") ?? null,
  };
}

/** The first thing that the host does to the scores. */
function headOf(
  graph: Graph,
  node: GraphNode,
  shape: readonly number[],
  translate: Translator | undefined,
): Head {
  if (node.operator === "Sigmoid") return plainHead("sigmoid");
  translate?.(viewOf(graph, node, shape, 0));
  return plainHead(node.operator === "Softmax" ? "softmax" : "argmax");
}

function headNamed(heads: ReadonlyMap<string, Head>, name: string): Head {
  const head = heads.get(name);
  if (head && head.kind !== "complement") return head;
  throw refuseModel(`Output "${name}" is not the end of one chain of layers.`);
}
