import { useTranslations } from "next-intl";
import { useMemo } from "react";
import type { Appearance } from "@/components/ui";
import type { BoardState, SlotState } from "@/lib/common/contract";
import { keysOf, recordOf } from "@/lib/common/records";
import { boardTones } from "./appearance";

const slotTones = {
  empty: "idle",
  loading: "run",
  testing: "run",
  serving: "ok",
  unknown: "warn",
  unreachable: "bad",
} as const satisfies Record<SlotState, Appearance["tone"]>;

/** How each state of a board looks, in the reader's language. */
export function useBoardAppearance(): Readonly<Record<BoardState, Appearance>> {
  const t = useTranslations("boards.states");
  return useMemo(
    () =>
      recordOf(
        keysOf(boardTones),
        (state): Appearance => ({
          tone: boardTones[state],
          label: t(`${state}.label`),
          why: t(`${state}.why`),
        }),
      ),
    [t],
  );
}

/** How each state of a place looks, in the reader's language. */
export function useSlotAppearance(): Readonly<Record<SlotState, Appearance>> {
  const t = useTranslations("boards.slots");
  return useMemo(
    () =>
      recordOf(
        keysOf(slotTones),
        (state): Appearance => ({
          tone: slotTones[state],
          label: t(`${state}.label`),
          why: t(`${state}.why`),
        }),
      ),
    [t],
  );
}
