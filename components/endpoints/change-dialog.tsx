"use client";

import { Dialog } from "@base-ui/react/dialog";
import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type ReactNode, useRef, useState } from "react";
import { ErrorNote, type Notice, notify, useOutdated } from "@/components/ui";

interface ChangeDialogProps {
  readonly title: string;
  /** The verb on the button. */
  readonly verb: string;
  /** What will happen, sentence by sentence. */
  readonly before: readonly string[];
  readonly children?: ReactNode;
  /** Does it; what it answers is told afterwards. */
  readonly act: () => Promise<Notice>;
  readonly onClose: () => void;
}

/** Says what a change will do before it is done, does it, and tells what was done with the way back. */
export function ChangeDialog({ title, verb, before, children, act, onClose }: ChangeDialogProps) {
  const t = useTranslations("endpoints.dialog");
  const [open, setOpen] = useState(true);
  const outdated = useTranslations("ui.confirmation");
  const isOutdated = useOutdated();
  const done = useRef<Notice | null>(null);
  const change = useMutation({
    mutationFn: act,
    onSuccess: (notice) => {
      done.current = notice;
      setOpen(false);
    },
  });
  // A dialog that changed nothing gives the focus back; else the way back in the notice takes it.
  const closed = () => {
    if (done.current) notify({ ...done.current, takesFocus: true });
    onClose();
  };
  return (
    <Dialog.Root
      open={open}
      onOpenChange={setOpen}
      onOpenChangeComplete={(isOpen) => (isOpen ? undefined : closed())}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-30 bg-[rgb(0_0_0/0.3)]" />
        <Dialog.Popup
          finalFocus={() => done.current === null}
          className="float fixed top-[12vh] left-1/2 z-40 max-h-[80vh] w-[min(560px,calc(100vw-24px))] -translate-x-1/2 overflow-y-auto p-6"
        >
          <Dialog.Title>{title}</Dialog.Title>
          <Dialog.Description render={<ul />} className="mt-3 grid gap-2">
            {before.map((sentence) => (
              <li key={sentence} className="max-w-[68ch]">
                {sentence}
              </li>
            ))}
          </Dialog.Description>
          {children}
          {isOutdated ? <p className="mt-4 text-warn">{outdated("outdated")}</p> : null}
          {change.isError ? (
            <div className="mt-4">
              <ErrorNote title={t("failed")} error={change.error} />
            </div>
          ) : null}
          <div className="mt-5 flex justify-end gap-2">
            <Dialog.Close className="btn">{t("cancel")}</Dialog.Close>
            <button
              type="button"
              className="btn btn-primary"
              disabled={change.isPending || isOutdated}
              aria-busy={change.isPending}
              onClick={() => change.mutate()}
            >
              {verb}
            </button>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
