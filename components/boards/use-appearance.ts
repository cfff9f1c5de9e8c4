import { useTranslations } from "next-intl";
import { useMemo } from "react";
import type { Appearance } from "@/components/ui";
import {
  type BoardState,
  boardStates,
  type SlotState,
  slotStateSchema,
} from "@/lib/common/contract";
import { boardAppearance } from "./appearance";

const slotTone = {
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
      Object.fromEntries(
        boardStates.map((state) => [
          state,
          { tone: boardAppearance[state].tone, label: t(`${state}.label`), why: t(`${state}.why`) },
        ]),
      ) as Record<BoardState, Appearance>,
    [t],
  );
}

/** How each state of a place looks, in the reader's language. */
export function useSlotAppearance(): Readonly<Record<SlotState, Appearance>> {
  const t = useTranslations("boards.slots");
  return useMemo(
    () =>
      Object.fromEntries(
        slotStateSchema.options.map((state) => [
          state,
          { tone: slotTone[state], label: t(`${state}.label`), why: t(`${state}.why`) },
        ]),
      ) as Record<SlotState, Appearance>,
    [t],
  );
}
