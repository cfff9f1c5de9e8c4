"use client";

import { Dialog } from "@base-ui/react/dialog";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useId, useRef, useState } from "react";
import { uploadModel } from "@/components/models";
import { ErrorNote } from "@/components/ui";
import { isAppError } from "@/lib/common/errors";
import { addSource } from "./api";
import { UnreadableNote } from "./unreadable-note";

/** The whole of `AddModel`, once it is loaded: open at first, since it is loaded by a press. */
export function AddModelDialog() {
  const t = useTranslations("library.add");
  return (
    <Dialog.Root defaultOpen>
      <Dialog.Trigger className="btn">{t("button")}</Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-30 bg-[rgb(0_0_0/0.3)]" />
        <Dialog.Popup className="float fixed top-[12vh] left-1/2 z-40 max-h-[80vh] w-[min(560px,calc(100vw-24px))] -translate-x-1/2 overflow-y-auto p-6">
          <Dialog.Title>{t("title")}</Dialog.Title>
          <Dialog.Description className="mt-2 text-muted">{t("text")}</Dialog.Description>
          <AddForm />
          <div className="mt-5 flex justify-end">
            <Dialog.Close className="btn">{t("close")}</Dialog.Close>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function AddForm() {
  const t = useTranslations("library.add");
  const router = useRouter();
  const [url, setUrl] = useState("");
  const [share, setShare] = useState(0);
  const field = useId();
  const picker = useRef<HTMLInputElement>(null);
  const onSuccess = ({ id }: { readonly id: string }) => router.push(`/models/${id}`);
  const byAddress = useMutation({ mutationFn: () => addSource(url.trim()), onSuccess });
  const byFile = useMutation({
    mutationFn: (file: File) =>
      uploadModel(file, { onProgress: setShare, signal: new AbortController().signal }),
    onSuccess,
  });
  const isPending = byAddress.isPending || byFile.isPending;
  const error = byFile.error ?? byAddress.error;
  return (
    <form
      className="mt-4"
      onSubmit={(event) => {
        event.preventDefault();
        byFile.reset();
        if (url.trim() !== "" && !isPending) byAddress.mutate();
      }}
    >
      <label htmlFor={field} className="mb-1 block">
        {t("address")}
      </label>
      <div className="flex flex-wrap gap-2">
        <input
          id={field}
          className="field min-w-0 flex-1"
          placeholder="https://…/model.onnx"
          maxLength={2048}
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
        <button type="submit" className="btn btn-primary" disabled={isPending || url.trim() === ""}>
          {t("add")}
        </button>
      </div>
      <p className="mt-3">
        <button
          type="button"
          className="btn btn-dense"
          disabled={isPending}
          onClick={() => picker.current?.click()}
        >
          {t("file")}
        </button>
        <input
          ref={picker}
          type="file"
          className="sr-only"
          tabIndex={-1}
          aria-label={t("file")}
          onChange={(event) => {
            const chosen = event.target.files?.[0];
            byAddress.reset();
            if (chosen) byFile.mutate(chosen);
            event.target.value = "";
          }}
        />
      </p>
      <p role="status" className="mt-2 min-h-6 text-dense text-muted">
        {byFile.isPending && share < 1
          ? t("sending", { percent: Math.round(share * 100) })
          : isPending
            ? t("reading")
            : null}
      </p>
      {error ? <Refusal error={error} /> : null}
    </form>
  );
}

function Refusal({ error }: { error: Error }) {
  const t = useTranslations("library.add");
  if (isAppError(error) && error.details?.["bytesRead"] !== undefined) {
    const { reason, message, hint, details } = error;
    return <UnreadableNote problem={{ reason, message, hint, details }} />;
  }
  return <ErrorNote title={t("refused")} error={error} />;
}
