import { useTranslations } from "next-intl";
import { useMemo } from "react";
import type { Appearance } from "@/components/ui";
import type { ProofState } from "@/lib/common/contract";
import { keysOf, recordOf } from "@/lib/common/records";

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
  return useMemo(
    () =>
      recordOf(
        keysOf(tones),
        (state): Appearance => ({
          tone: tones[state],
          label: t(`${state}.label`),
          why: t(`${state}.why`),
        }),
      ),
    [t],
  );
}
