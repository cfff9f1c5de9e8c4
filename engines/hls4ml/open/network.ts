import type { IntegerGraph } from "@/compiler";
import { fail } from "@/lib/common/errors";

/**
 * Refuses what is not made of adders alone: da4ml gets dense layers and what rounds and clamps their sums.
 *
 * @throws {AppError} `OPERATOR_UNSUPPORTED`, `MODEL_UNSUPPORTED`
 */
export function checkNetwork({ nodes }: IntegerGraph): void {
  for (const node of nodes) {
    if (node.op === "dense") continue;
    if (node.op !== "requantize") {
      throw fail(
        "OPERATOR_UNSUPPORTED",
        `Layer ${node.name} becomes ${describe(node.op)}; on boards with open tools the hls4ml engine takes dense layers, with ReLU or nothing between.`,
        { hint: "The boardwalk engine takes it, and the hls4ml engine on a CPU board." },
      );
    }
    if (node.rounding !== undefined || node.bounds !== undefined) {
      throw fail(
        "MODEL_UNSUPPORTED",
        `Layer ${node.name} rounds by the rules of a quantised ONNX model, which da4ml has no word for.`,
        { hint: "Use the boardwalk engine, or the float model that it was made of." },
      );
    }
  }
}

/** How people call a node of the integer graph. */
const describe = (op: string): string =>
  ({ table: "a table of a function", trees: "decision trees", sum: "a sum of trees" })[op] ??
  `a ${op.replace("-", " ")}`;
