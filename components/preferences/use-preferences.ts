"use client";

import { useRouter } from "next/navigation";
import { createContext, useContext } from "react";
import type { Preferences } from "./preferences";

const yearS = 365 * 86_400;

/** The preferences of the page and how they are replaced. */
export const PreferencesContext = createContext<{
  readonly preferences: Preferences;
  readonly setPreferences: (preferences: Preferences) => void;
} | null>(null);

/** The preferences in force, and how to change one: at once on this page, and in its cookie for all that follow. */
export function usePreferences() {
  const held = useContext(PreferencesContext);
  if (held === null) throw new Error("PreferencesProvider is missing");
  const { preferences, setPreferences } = held;
  const router = useRouter();
  const change = (part: keyof Preferences, value: Preferences[keyof Preferences]) => {
    setPreferences({ ...preferences, [part]: value });
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox before 140
    document.cookie = `${part}=${value}; path=/; max-age=${yearS}; samesite=lax`;
    if (part === "language") {
      // The server draws the frame again in the other language; what was typed on the page stays.
      document.documentElement.lang = value;
      router.refresh();
    } else document.documentElement.dataset[part] = value;
  };
  return { preferences, change };
}
