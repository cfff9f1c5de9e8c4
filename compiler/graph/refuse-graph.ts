import { fail } from "@/lib/common/errors";
import type { TensorSpec } from "@/lib/common/tensor";
import type { Graph, GraphNode } from "./graph";
import { refuse, refuseModel } from "./refuse";

/** Values of an input or a map: more bytes than the block RAM of any board holds. */
export const mostValues = 2 ** 20;

/** Versions of the standard operators whose meaning the front ends know. */
const opsets = { min: 9, max: 21 } as const;

/**
 * Looks at what can be said of a graph whatever its operators are.
 *
 * @throws {AppError} `MODEL_VERSION_UNSUPPORTED` for operator sets outside 9..21, `MODEL_UNSUPPORTED` for free dimensions and
 *   for more values than any board holds.
 */
export function refuseForm({ opset }: Graph, input: TensorSpec): void {
  if (opset < opsets.min || opset > opsets.max) {
    throw fail(
      "MODEL_VERSION_UNSUPPORTED",
      `The model uses operator set ${opset}; FPGA boards take ${opsets.min} to ${opsets.max}.`,
      { hint: `Export the model with an operator set from ${opsets.min} to ${opsets.max}.` },
    );
  }
  const size = input.shape.slice(1).reduce((product, each) => product * each, 1);
  if (size > mostValues) {
    throw refuseModel(
      `Input "${input.name}" has ${size} values; FPGA boards take ${mostValues} at most.`,
    );
  }
  if (input.shape.slice(1).some((size) => size < 1)) {
    throw refuseModel(
      `Input "${input.name}" has free dimensions besides the batch: [${input.shape.join(", ")}].`,
    );
  }
}

/**
 * Looks at every operator before any is read, so that the message is about what the model is, not about where reading
 * stopped.
 *
 * @throws {AppError} `OPERATOR_UNSUPPORTED` naming the first node, and the other operators that are not known.
 */
export function refuseUnknown(
  nodes: readonly GraphNode[],
  isKnown: (node: GraphNode) => boolean,
): void {
  const unknown = nodes.filter((node) => !isKnown(node));
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
