"use client";

import { Dialog } from "@base-ui/react/dialog";
import { useTranslations } from "next-intl";
import { useRef } from "react";
import { PreferenceQuestion } from "@/components/preferences";

/** Every shortcut of the pages, by the place where it works. */
const groups = [
  {
    place: "everywhere",
    shortcuts: [
      ["search", "Ctrl K"],
      ["help", "?"],
      ["close", "Esc"],
    ],
  },
  {
    place: "form",
    shortcuts: [
      ["submit", "Ctrl Enter"],
      ["leaveEditor", "Esc, Tab"],
    ],
  },
  {
    place: "list",
    shortcuts: [
      ["openRow", "Enter"],
      ["markRow", "Space"],
    ],
  },
  {
    place: "log",
    shortcuts: [
      ["follow", "F"],
      ["find", "/"],
      ["nextMatch", "N, Shift N"],
      ["nextError", "E, Shift E"],
      ["start", "G, Shift G"],
    ],
  },
] as const;

/** The sheet of keyboard shortcuts, where those of a single key can be switched off (WCAG 2.1.4). */
export function ShortcutsSheet({
  open,
  onOpenChange,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const t = useTranslations("shell.shortcuts");
  const close = useRef<HTMLButtonElement>(null);
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-30 bg-[rgb(0_0_0/0.3)]" />
        <Dialog.Popup
          initialFocus={close}
          className="float fixed top-[8vh] left-1/2 z-40 max-h-[84vh] w-[min(680px,calc(100vw-24px))] -translate-x-1/2 overflow-y-auto p-6"
        >
          <Dialog.Title className="mb-4 text-section font-strong">{t("title")}</Dialog.Title>
          <div className="grid gap-x-10 gap-y-5 tablet:grid-cols-2">
            {groups.map(({ place, shortcuts }) => (
              <section key={place}>
                <h3 className="label mb-1.5">{t(place)}</h3>
                <dl className="text-dense">
                  {shortcuts.map(([what, keys]) => (
                    <div key={what} className="flex justify-between gap-4 py-1">
                      <dt>{t(what)}</dt>
                      <dd className="whitespace-nowrap">
                        <kbd>{keys}</kbd>
                      </dd>
                    </div>
                  ))}
                </dl>
              </section>
            ))}
          </div>
          <div className="mt-5 border-t border-line pt-4 text-dense">
            <PreferenceQuestion part="shortcuts" />
          </div>
          <Dialog.Close ref={close} className="btn mt-5">
            {t("done")}
          </Dialog.Close>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
