"use client";

import { Dialog } from "@base-ui/react/dialog";
import { useTranslations } from "next-intl";

/** Asks whether the form is to be left as it is. */
export function LeaveDialog({ onLeave, onStay }: { onLeave: () => void; onStay: () => void }) {
  const t = useTranslations("deploy.leave");
  return (
    <Dialog.Root open onOpenChange={(open) => (open ? undefined : onStay())}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-30 bg-[rgb(0_0_0/0.3)]" />
        <Dialog.Popup
          role="alertdialog"
          className="float fixed top-[18vh] left-1/2 z-40 w-[min(480px,calc(100vw-24px))] -translate-x-1/2 p-6"
        >
          <Dialog.Title>{t("title")}</Dialog.Title>
          <Dialog.Description className="mt-2 text-muted">{t("text")}</Dialog.Description>
          <div className="mt-5 flex flex-wrap justify-end gap-2">
            <Dialog.Close className="btn btn-primary">{t("stay")}</Dialog.Close>
            <button type="button" className="btn" onClick={onLeave}>
              {t("leave")}
            </button>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
