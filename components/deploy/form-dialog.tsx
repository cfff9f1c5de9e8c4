"use client";

import { Dialog } from "@base-ui/react/dialog";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";

/** A dialog over the form, with what it is about and, below, what can be done besides closing it. */
export function FormDialog({
  title,
  text,
  actions,
  onClose,
  children,
}: {
  title: string;
  text: string;
  actions?: ReactNode;
  onClose: () => void;
  children: ReactNode;
}) {
  const t = useTranslations("deploy.dialog");
  return (
    <Dialog.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-30 bg-[rgb(0_0_0/0.3)]" />
        <Dialog.Popup className="float fixed top-[8vh] left-1/2 z-40 max-h-[84vh] w-[min(640px,calc(100vw-24px))] -translate-x-1/2 overflow-y-auto p-6">
          <Dialog.Title>{title}</Dialog.Title>
          <Dialog.Description className="mt-1 mb-4 max-w-[68ch] text-muted">
            {text}
          </Dialog.Description>
          {children}
          <div className="mt-5 flex flex-wrap justify-end gap-2">
            <Dialog.Close className="btn">{t("close")}</Dialog.Close>
            {actions}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
