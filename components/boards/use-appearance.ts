import { useTranslations } from "next-intl";
import { type Appearance, useAppearances } from "@/components/ui";
import type { BoardState, SlotState } from "@/lib/common/contract";
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
  return useAppearances(boardTones, useTranslations("boards.states"));
}

/** How each state of a place looks, in the reader's language. */
export function useSlotAppearance(): Readonly<Record<SlotState, Appearance>> {
  return useAppearances(slotTones, useTranslations("boards.slots"));
}
