import type { Inspection } from "@/lib/common/contract";

const isDense = ({ operator }: Inspection["layers"][number]) =>
  operator === "Gemm" || operator === "MatMul";

/** Names of the layers whose weights can have bits of their own. */
export const weightedLayers = ({ layers }: Pick<Inspection, "layers">): readonly string[] =>
  layers.filter(isDense).map(({ name }) => name);

/** Inputs, then the outputs of every dense layer: what a forecast needs of a model. Null when its row size is not known or it has none. */
export function denseSizes({ inputs, layers }: Inspection): readonly number[] | null {
  const [input] = inputs;
  if (!input) return null;
  const row = input.shape.slice(1).reduce((total, size) => total * size, 1);
  const outputs = layers.filter(isDense).map(({ shape }) => shape.at(-1) ?? 0);
  return row > 0 && outputs.length > 0 && outputs.every((size) => size > 0)
    ? [row, ...outputs]
    : null;
}
