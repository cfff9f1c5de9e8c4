"use client";

import { useTranslations } from "next-intl";
import { type ComponentType, useState } from "react";
import type { AccountPopoverProps } from "./account-popover";

/** The button of the top bar for whoever is signed in; what it opens is loaded when it is first pressed. */
export function AccountMenu() {
  const t = useTranslations("people.menu");
  const [Loaded, setLoaded] = useState<ComponentType<AccountPopoverProps> | null>(null);
  const load = () =>
    import("./account-popover").then(
      ({ AccountPopover }) => setLoaded(() => AccountPopover),
      () => undefined,
    );
  const button = {
    className: "btn btn-quiet btn-dense",
    "aria-label": t("title"),
    title: t("title"),
    children: <Head />,
  };
  if (Loaded) return <Loaded button={button} />;
  return <button type="button" aria-haspopup="dialog" onClick={() => void load()} {...button} />;
}

const Head = () => (
  <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
    <circle cx="8" cy="5" r="3" fill="none" stroke="currentColor" strokeWidth="1.4" />
    <path d="M2 14.5a6 6 0 0 1 12 0" fill="none" stroke="currentColor" strokeWidth="1.4" />
  </svg>
);
