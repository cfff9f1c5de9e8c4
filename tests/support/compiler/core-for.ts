import { designCore, type Graph, lower } from "@/compiler";
import type { PartTarget } from "@/compiler/target/part";

interface CoreOptions {
  readonly architecture?: "auto" | "array" | "unrolled";
  readonly lanes?: number | null;
}

/** The core of a model that nothing is known of, for a part. */
export function coreFor(
  model: Graph,
  target: PartTarget,
  { architecture = "auto", lanes = null }: CoreOptions = {},
) {
  const { integerGraph, vectors } = lower({ graph: model, inputRange: null, calibration: null });
  const board = { name: "a board", ...target };
  const design = designCore({ graph: integerGraph, board, others: [], architecture, lanes });
  return { ...design, vectors };
}
