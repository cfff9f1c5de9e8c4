import { useTranslations } from "next-intl";
import { useMemo } from "react";
import type { Appearance } from "@/components/ui";
import type { ProofState } from "@/lib/common/contract";

const tones = {
  proven: "ok",
  partly: "info",
  unproven: "warn",
  refused: "bad",
  damaged: "bad",
} as const satisfies Record<ProofState, Appearance["tone"]>;

/** How each proof state looks, and what it means in a sentence. */
export function useProofAppearance(): Readonly<Record<ProofState, Appearance>> {
  const t = useTranslations("firmware.states");
  return useMemo(() => {
    const of = (state: ProofState): Appearance => ({
      tone: tones[state],
      label: t(`${state}.label`),
      why: t(`${state}.why`),
    });
    return {
      proven: of("proven"),
      partly: of("partly"),
      unproven: of("unproven"),
      refused: of("refused"),
      damaged: of("damaged"),
    };
  }, [t]);
}
