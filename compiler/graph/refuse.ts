import { type AppError, fail } from "@/lib/common/errors";
import type { GraphNode } from "./graph";

const hint = "Use a CPU board, with the engine of the model's own make.";

/** The error for an operator that the FPGA front end does not take, or not in this place. */
export function refuse(node: Pick<GraphNode, "operator" | "name">, why?: string): AppError {
  return fail(
    "OPERATOR_UNSUPPORTED",
    `Operator ${node.operator} (node "${node.name}") ${why ?? "is not supported on FPGA boards"}.`,
    { hint, details: { operator: node.operator, node: node.name } },
  );
}

/** The error for a model whose form, not its operators, is out of reach. */
export function refuseModel(message: string): AppError {
  return fail("MODEL_UNSUPPORTED", message, { hint });
}
