import type { Inspection } from "@/lib/common/contract";

/** Names of the layers whose weights can have bits of their own. */
export const weightedLayers = ({ layers }: Pick<Inspection, "layers">): readonly string[] =>
  layers
    .filter(({ operator }) => operator === "Gemm" || operator === "MatMul")
    .map(({ name }) => name);
