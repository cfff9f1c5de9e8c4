import type { IntegerGraph } from "@/compiler";
import { fail } from "@/lib/common/errors";

/** Nodes that become adders, choices and tables, each value with hardware of its own. */
const traced: ReadonlySet<string> = new Set([
  "dense",
  "requantize",
  "table",
  "convolution",
  "max-pool",
  "add",
  "concat",
]);

/**
 * Refuses what is not made of adders, choices and tables: trees, their sums, and products of two values.
 *
 * @throws {AppError} `OPERATOR_UNSUPPORTED`
 */
export function checkNetwork({ nodes }: IntegerGraph): void {
  const other = nodes.find(({ op }) => !traced.has(op));
  if (!other) return;
  throw fail(
    "OPERATOR_UNSUPPORTED",
    `Layer ${other.name} becomes ${describe(other.op)}; on boards with open tools the hls4ml engine takes dense layers, convolutions, pooling, sums and functions of one value.`,
    { hint: "The boardwalk engine takes it." },
  );
}

/** How people call a node of the integer graph. */
const describe = (op: string): string =>
  ({ trees: "decision trees", sum: "a sum of trees", product: "a product of two values" })[op] ??
  `a ${op.replace("-", " ")}`;
