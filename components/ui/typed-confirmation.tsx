"use client";

import { Dialog } from "@base-ui/react/dialog";
import { useTranslations } from "next-intl";
import { type ReactNode, useId, useState } from "react";
import { useOutdated } from "./outdated";

interface TypedConfirmationProps {
  readonly title: string;
  /** What will break. */
  readonly children: ReactNode;
  /** What must be typed. */
  readonly words: string;
  /** On the button that does it; left out: “Delete”. */
  readonly verb?: string;
  /** On the button that changes nothing. */
  readonly keep: string;
  /** Why it could not be done. */
  readonly problem?: ReactNode;
  readonly isPending?: boolean;
  readonly onConfirm: () => void;
}

/** The inside of a dialog about what cannot be undone: it is done once somebody has typed the words. */
export function TypedConfirmation({ title, children, ...form }: TypedConfirmationProps) {
  return (
    <Dialog.Portal>
      <Dialog.Backdrop className="fixed inset-0 z-30 bg-[rgb(0_0_0/0.3)]" />
      <Dialog.Popup className="float fixed top-[18vh] left-1/2 z-40 w-[min(480px,calc(100vw-24px))] -translate-x-1/2 p-6">
        <Dialog.Title>{title}</Dialog.Title>
        <Dialog.Description className="mt-2 break-words text-muted">{children}</Dialog.Description>
        <TypedForm {...form} />
      </Dialog.Popup>
    </Dialog.Portal>
  );
}

/** Within the popup, so that what was typed goes with it. */
function TypedForm({
  words,
  verb,
  keep,
  problem,
  isPending = false,
  onConfirm,
}: Omit<TypedConfirmationProps, "title" | "children">) {
  const t = useTranslations("ui.confirmation");
  const [typed, setTyped] = useState("");
  const field = useId();
  const isOutdated = useOutdated();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (typed === words && !isOutdated) onConfirm();
      }}
    >
      <label htmlFor={field} className="mt-4 mb-1 block">
        {t.rich("type", { words: () => <b>{words}</b> })}
      </label>
      <input
        id={field}
        className="field"
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      {isOutdated ? <p className="mt-3 text-warn">{t("outdated")}</p> : null}
      {problem ? <div className="mt-3">{problem}</div> : null}
      <div className="mt-5 flex justify-end gap-2">
        <Dialog.Close className="btn">{keep}</Dialog.Close>
        <button
          type="submit"
          className="btn btn-danger"
          disabled={typed !== words || isPending || isOutdated}
        >
          {verb ?? t("delete")}
        </button>
      </div>
    </form>
  );
}
