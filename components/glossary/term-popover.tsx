"use client";

import { Popover } from "@base-ui/react/popover";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import type { TermId } from "./term-id";

/** The whole of `Term`, once it is loaded. */
export function TermPopover({ id, children }: { id: TermId; children: ReactNode }) {
  const t = useTranslations("glossary");
  const [open, setOpen] = useState(false);
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger
        openOnHover
        delay={200}
        className="rounded-control text-left underline decoration-line-strong decoration-dotted underline-offset-4"
        onFocus={(event) => {
          // By the keyboard alone: a press opens it by itself.
          if (event.currentTarget.matches(":focus-visible")) setOpen(true);
        }}
        onBlur={() => setOpen(false)}
      >
        {children}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={6} align="start" className="z-40">
          <Popover.Popup
            className="float max-w-[min(340px,calc(100vw-32px))] p-3 text-dense"
            initialFocus={false}
            finalFocus={false}
          >
            <Popover.Title className="mb-1 font-strong">{t(`terms.${id}.name`)}</Popover.Title>
            <Popover.Description>{t(`terms.${id}.text`)}</Popover.Description>
            <Link href={`/glossary#${id}`} className="mt-1 inline-block" tabIndex={-1}>
              {t("more")}
            </Link>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
