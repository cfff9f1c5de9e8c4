"use client";

import { Popover } from "@base-ui/react/popover";
import { useTranslations } from "next-intl";
import { PreferenceQuestions } from "./preference-questions";

/** The button of the top bar that opens theme, contrast, density and language. */
export function PreferencesMenu() {
  const t = useTranslations("preferences");
  return (
    <Popover.Root>
      <Popover.Trigger
        className="btn btn-quiet btn-dense"
        aria-label={t("title")}
        title={t("title")}
      >
        <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
          <circle cx="8" cy="8" r="6.3" fill="none" stroke="currentColor" strokeWidth="1.4" />
          <path d="M8 1.7a6.3 6.3 0 0 1 0 12.6z" fill="currentColor" />
        </svg>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={8} align="end" className="z-40">
          <Popover.Popup className="float w-[min(320px,calc(100vw-24px))] p-5">
            <Popover.Title className="mb-4 text-section font-strong">{t("title")}</Popover.Title>
            <PreferenceQuestions />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
