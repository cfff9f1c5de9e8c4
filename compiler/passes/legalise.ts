import { fail } from "@/lib/common/errors";
import type { DenseNetwork } from "../dense-network";
import type { Graph, GraphNode } from "../graph";
import { foldSteps } from "./fold-steps";
import { translators } from "./operators";
import { refuse, refuseModel } from "./refuse";
import type { Step } from "./step";

/** Versions of the standard operators whose meaning the translators know. */
const opsets = { min: 9, max: 21 } as const;

/**
 * Turns a float graph into dense layers in a row.
 *
 * @throws {AppError} `OPERATOR_UNSUPPORTED` naming operator and node, `MODEL_UNSUPPORTED` for several inputs or outputs,
 * `MODEL_VERSION_UNSUPPORTED` for operator sets outside 9..21.
 */
export function legalise(graph: Graph): DenseNetwork {
  refuseUnknown(graph);
  const [input, ...otherInputs] = graph.inputs;
  const [output, ...otherOutputs] = graph.outputs;
  if (!input || !output || otherInputs.length > 0 || otherOutputs.length > 0) {
    throw refuseModel(
      `The model has ${graph.inputs.length} inputs and ${graph.outputs.length} outputs; FPGA boards take one of each.`,
    );
  }
  if (graph.opset < opsets.min || graph.opset > opsets.max) {
    throw fail(
      "MODEL_VERSION_UNSUPPORTED",
      `The model uses operator set ${graph.opset}; FPGA boards take ${opsets.min} to ${opsets.max}.`,
      { hint: `Export the model with an operator set from ${opsets.min} to ${opsets.max}.` },
    );
  }
  if (input.shape.slice(1).some((size) => size < 1)) {
    throw refuseModel(
      `Input "${input.name}" has free dimensions besides the batch: [${input.shape.join(", ")}].`,
    );
  }
  const { steps, activation } = walk(graph, input.name, output.name, input.shape);
  return { input, output, layers: foldSteps(steps), activation };
}

/** Looks at every operator first, so that the message is about what the model is, not about where reading stopped. */
function refuseUnknown(graph: Graph): void {
  const unknown = graph.nodes.filter((node) => !isKnown(node));
  const [first] = unknown;
  if (!first) return;
  const others = [...new Set(unknown.map(({ operator }) => operator))].filter(
    (operator) => operator !== first.operator,
  );
  throw refuse(
    first,
    others.length === 0
      ? undefined
      : `is not supported on FPGA boards, nor are ${others.join(", ")} further on`,
  );
}

function isKnown({ domain, operator }: GraphNode): boolean {
  return domain === "" && Object.hasOwn(translators, operator);
}

function walk(
  graph: Graph,
  inputName: string,
  outputName: string,
  inputShape: readonly number[],
): { steps: Step[]; activation: DenseNetwork["activation"] } {
  const steps: Step[] = [];
  let value = inputName;
  let shape = inputShape;
  let activation: DenseNetwork["activation"] = "none";

  for (const node of neededNodes(graph, outputName)) {
    const [position, ...more] = node.inputs.flatMap((name, index) =>
      name !== "" && !graph.constants.has(name) ? [index] : [],
    );
    if (position === undefined || more.length > 0 || node.inputs[position] !== value) {
      throw refuse(node, "joins or splits the chain of layers, which FPGA boards do not take");
    }
    if (activation === "argmax" && node.operator === "Cast") {
      value = node.outputs[0] ?? "";
      continue;
    }
    const translate = translators[node.operator];
    if (!translate) throw refuse(node);
    const result = translate({
      node,
      operand: { shape, position },
      opset: graph.opset,
      constant: (index) => graph.constants.get(node.inputs[index] ?? "") ?? null,
    });
    for (const step of result.steps) {
      const isLast = step.kind === "softmax" || step.kind === "sigmoid";
      if (isLast && activation === "none") activation = step.kind;
      // The largest score stays the largest.
      else if (step.kind === "argmax" && activation !== "argmax") activation = "argmax";
      else if (activation === "none" && !isLast && step.kind !== "argmax") steps.push(step);
      else throw refuse(node, `comes after the model's ${activation}`);
    }
    shape = result.shape;
    value = node.outputs[0] ?? "";
  }
  if (value !== outputName) {
    throw refuseModel(`Output "${outputName}" is not the end of one chain of layers.`);
  }
  return { steps, activation };
}

/** The nodes that the output depends on, in their order; others have no effect. */
function neededNodes(graph: Graph, outputName: string): GraphNode[] {
  const needed = new Set([outputName]);
  const nodes: GraphNode[] = [];
  for (const node of [...graph.nodes].reverse()) {
    if (!node.outputs.some((name) => needed.has(name))) continue;
    for (const name of node.inputs) needed.add(name);
    nodes.push(node);
  }
  return nodes.reverse();
}
