import { useTranslations } from "next-intl";
import { type Appearance, useAppearances } from "@/components/ui";
import type { ModelState } from "@/lib/common/contract";

const tones = {
  readable: "ok",
  unread: "idle",
  unreadable: "bad",
  archived: "info",
} as const satisfies Record<ModelState, Appearance["tone"]>;

/** How each state of a model looks, and what it means in a sentence. */
export function useModelAppearance(): Readonly<Record<ModelState, Appearance>> {
  return useAppearances(tones, useTranslations("library.states"));
}
