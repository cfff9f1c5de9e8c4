"use client";

import { useState } from "react";

export type Theme = "system" | "light" | "dark";

const next = { system: "light", light: "dark", dark: "system" } as const satisfies Record<
  Theme,
  Theme
>;
const yearS = 365 * 86_400;

/** Steps through the themes. The choice lies in a cookie, which the server reads: the first paint is already right. */
export function ThemeToggle({ initial }: { initial: Theme }) {
  const [theme, setTheme] = useState<Theme>(initial);
  const choose = (chosen: Theme) => {
    setTheme(chosen);
    document.documentElement.dataset["theme"] = chosen;
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox before 140
    document.cookie = `theme=${chosen}; path=/; max-age=${yearS}; samesite=lax`;
  };
  return (
    <button
      type="button"
      className="btn btn-quiet btn-dense"
      aria-label={`Theme: ${theme}. Change to ${next[theme]}`}
      title={`Theme: ${theme}`}
      onClick={() => choose(next[theme])}
    >
      <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
        <circle cx="8" cy="8" r="6.3" fill="none" stroke="currentColor" strokeWidth="1.4" />
        {theme === "system" ? <path d="M8 1.7a6.3 6.3 0 0 1 0 12.6z" fill="currentColor" /> : null}
        {theme === "dark" ? <circle cx="8" cy="8" r="6.3" fill="currentColor" /> : null}
      </svg>
    </button>
  );
}
