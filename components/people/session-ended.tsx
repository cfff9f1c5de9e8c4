"use client";

import { Dialog } from "@base-ui/react/dialog";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { PasskeyButton } from "./passkey-button";
import { ServiceButton } from "./service-button";
import { SignInForm } from "./sign-in-form";

/** Over a page whose reader is signed in no more: whoever signs in again goes on where they were, with what they typed. */
export function SessionEnded({ onBack }: { readonly onBack: () => void }) {
  const t = useTranslations("people.ended");
  const client = useQueryClient();
  const onDone = () => {
    onBack();
    void client.invalidateQueries();
  };
  return (
    <Dialog.Root open>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-50 bg-[rgb(0_0_0/0.3)]" />
        <Dialog.Popup className="float fixed top-[12vh] left-1/2 z-50 w-[min(420px,calc(100vw-24px))] -translate-x-1/2 p-6">
          <Dialog.Title className="mb-1 text-section font-strong">{t("title")}</Dialog.Title>
          <Dialog.Description className="mb-4 text-muted">{t("text")}</Dialog.Description>
          <SignInForm onDone={onDone} />
          <PasskeyButton onDone={onDone} />
          <ServiceButton
            words={(name) => t("by", { name })}
            failure={t("failed")}
            next={`${location.pathname}${location.search}`}
          />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
