"use client";

import { type ReactNode, useState } from "react";
import type { Preferences } from "./preferences";
import { PreferencesContext } from "./use-preferences";

/** Holds the preferences of the page, which begin as the server read them. */
export function PreferencesProvider({
  initial,
  children,
}: {
  initial: Preferences;
  children: ReactNode;
}) {
  const [preferences, setPreferences] = useState(initial);
  return (
    <PreferencesContext value={{ preferences, setPreferences }}>{children}</PreferencesContext>
  );
}
