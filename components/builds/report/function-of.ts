import type { MachineDrawing } from "@/lib/common/contract";

/** What the processors of a layer do besides adding up; null: nothing. */
export function functionOf({
  relu,
  softmaxTerms,
}: Pick<MachineDrawing["layers"][number], "relu" | "softmaxTerms">): string | null {
  if (softmaxTerms !== undefined) {
    return `softmax by ${softmaxTerms} ${softmaxTerms === 1 ? "term" : "terms"}`;
  }
  return relu ? "ReLU" : null;
}
