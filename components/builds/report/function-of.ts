import type { useTranslations } from "next-intl";
import type { MachineDrawing } from "@/lib/common/contract";

/** What the processors of a layer do besides adding up; null: nothing. */
export function functionOf(
  { relu, softmaxTerms }: Pick<MachineDrawing["layers"][number], "relu" | "softmaxTerms">,
  t: ReturnType<typeof useTranslations<"builds.report">>,
): string | null {
  if (softmaxTerms !== undefined) return t("softmax", { count: softmaxTerms });
  return relu ? "ReLU" : null;
}
