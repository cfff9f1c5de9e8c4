"use client";

import { useTranslations } from "next-intl";
import { type ComponentType, useState } from "react";
import type { PreferencesPopoverProps } from "./preferences-popover";

/** The button of the top bar that opens theme, contrast, density and language; what floats is loaded when it is first pressed. */
export function PreferencesMenu() {
  const t = useTranslations("preferences");
  const [Loaded, setLoaded] = useState<ComponentType<PreferencesPopoverProps> | null>(null);
  const load = () =>
    import("./preferences-popover").then(
      ({ PreferencesPopover }) => setLoaded(() => PreferencesPopover),
      () => undefined,
    );
  const button = {
    className: "btn btn-quiet btn-dense",
    "aria-label": t("title"),
    title: t("title"),
    children: <Halves />,
  };
  if (Loaded) return <Loaded button={button} />;
  return <button type="button" aria-haspopup="dialog" onClick={() => void load()} {...button} />;
}

const Halves = () => (
  <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
    <circle cx="8" cy="8" r="6.3" fill="none" stroke="currentColor" strokeWidth="1.4" />
    <path d="M8 1.7a6.3 6.3 0 0 1 0 12.6z" fill="currentColor" />
  </svg>
);
