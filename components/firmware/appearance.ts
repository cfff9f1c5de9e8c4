import { useTranslations } from "next-intl";
import { type Appearance, useAppearances } from "@/components/ui";
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
  return useAppearances(tones, useTranslations("firmware.states"));
}
