import type { Inspection } from "@/lib/common/contract";

/** Numbers in one row of a model with one input, free dimensions but the batch counted as 1; null for others. */
export function inputCount({ inputs }: Pick<Inspection, "inputs">): number | null {
  const [input, another] = inputs;
  if (!input || another) return null;
  return input.shape.slice(1).reduce((total, size) => total * Math.max(1, size), 1);
}
