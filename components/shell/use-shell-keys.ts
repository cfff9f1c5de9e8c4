"use client";

import { useEffect } from "react";
import { usePreferences } from "@/components/preferences";

/** The keys that work on every page: Ctrl or Command with K, and `?` where nobody is typing and single keys are on. */
export function useShellKeys({ onSearch, onHelp }: { onSearch: () => void; onHelp: () => void }) {
  const { preferences } = usePreferences();
  const singleKeys = preferences.shortcuts === "on";
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const withCommand = event.metaKey || event.ctrlKey;
      if (event.key.toLowerCase() === "k" && withCommand) {
        event.preventDefault();
        onSearch();
      } else if (event.key === "?" && !withCommand && singleKeys && !isTyping(event.target)) {
        event.preventDefault();
        onHelp();
      }
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [onSearch, onHelp, singleKeys]);
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches("input:not([type=radio], [type=checkbox]), textarea, select"));
