import type { Inspection } from "@/lib/common/contract";

/** Numbers in one row of all inputs, free dimensions but the batch counted as 1; null for a model without any. */
export function inputCount({ inputs }: Pick<Inspection, "inputs">): number | null {
  if (inputs.length === 0) return null;
  return inputs.reduce(
    (total, { shape }) =>
      total + shape.slice(1).reduce((product, size) => product * Math.max(1, size), 1),
    0,
  );
}
