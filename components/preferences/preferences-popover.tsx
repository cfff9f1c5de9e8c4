"use client";

import { Popover } from "@base-ui/react/popover";
import { useTranslations } from "next-intl";
import type { ComponentProps } from "react";
import { PreferenceQuestions } from "./preference-questions";

export interface PreferencesPopoverProps {
  /** How the button that opens it looks. */
  readonly button: ComponentProps<typeof Popover.Trigger>;
}

/** The whole of `PreferencesMenu`, once it is loaded: open at first, since it is loaded by a press. */
export function PreferencesPopover({ button }: PreferencesPopoverProps) {
  const t = useTranslations("preferences");
  return (
    <Popover.Root defaultOpen>
      <Popover.Trigger {...button} />
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
