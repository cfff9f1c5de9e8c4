import { useTranslations } from "next-intl";
import { useMemo } from "react";
import type { Appearance } from "@/components/ui";
import type { ModelState } from "@/lib/common/contract";
import { keysOf, recordOf } from "@/lib/common/records";

const tones = {
  readable: "ok",
  unread: "idle",
  unreadable: "bad",
  archived: "info",
} as const satisfies Record<ModelState, Appearance["tone"]>;

/** How each state of a model looks, and what it means in a sentence. */
export function useModelAppearance(): Readonly<Record<ModelState, Appearance>> {
  const t = useTranslations("library.states");
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
