import type { Inspection } from "@/lib/common/contract";
import { rowWidth } from "@/lib/common/tensor";

/** Numbers in one row of all inputs; null for a model without any. */
export const inputCount = ({ inputs }: Pick<Inspection, "inputs">): number | null =>
  inputs.length === 0 ? null : rowWidth(inputs);
