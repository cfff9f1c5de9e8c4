"use client";

import { Toast } from "@base-ui/react/toast";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { type Notice, notify, onNotice } from "./notify";

/** How long a notice can be undone, not counting the time that the pointer or the focus is on it. */
const showS = 10;

/** The whole of `Notices`, once it is loaded. F6 leads to it. */
export function NoticeList() {
  const t = useTranslations("ui.notices");
  return (
    <Toast.Provider limit={3}>
      <Toast.Portal>
        <Toast.Viewport
          aria-label={t("region")}
          className="fixed right-0 bottom-16 left-0 z-50 mx-auto flex w-[min(460px,calc(100vw-24px))] flex-col gap-2 outline-offset-4 tablet:right-6 tablet:bottom-6 tablet:left-auto"
        >
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function List() {
  const { toasts, add, close } = Toast.useToastManager<Notice>();
  useEffect(() => onNotice((notice) => add({ timeout: 0, data: notice })), [add]);
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      swipeDirection={[]}
      className="float p-4 text-dense data-limited:hidden"
    >
      <Toast.Content>
        {toast.data ? <Words notice={toast.data} onTaken={() => close(toast.id)} /> : null}
      </Toast.Content>
    </Toast.Root>
  ));
}

/**
 * Ends a notice once nobody has been at it for so long. The list's own timer would run on under a focus that came by a
 * dialog after a press of the mouse.
 */
function useEnd(onEnd: () => void) {
  const place = useRef<HTMLDivElement>(null);
  const end = useRef(onEnd);
  useEffect(() => {
    end.current = onEnd;
  }, [onEnd]);
  useEffect(() => {
    let leftS = showS;
    const timer = setInterval(() => {
      if (place.current?.matches(":hover, :focus-within")) return;
      leftS -= 1;
      if (leftS <= 0) end.current();
    }, 1000);
    return () => clearInterval(timer);
  }, []);
  return place;
}

function Words({ notice, onTaken }: { notice: Notice; onTaken: () => void }) {
  const t = useTranslations("ui.notices");
  const { title, text, link, undo, takesFocus } = notice;
  const place = useEnd(onTaken);
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (takesFocus) back.current?.focus();
  }, [takesFocus]);
  return (
    <div ref={place} className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-2">
      <div className="min-w-0 flex-1 basis-48 break-words">
        <Toast.Title render={<p />} className="font-strong">
          {title}
        </Toast.Title>
        {text ? <Toast.Description className="text-muted">{text}</Toast.Description> : null}
      </div>
      <div className="flex items-center gap-1">
        {undo ? (
          <button
            ref={back}
            type="button"
            data-undo
            className="btn btn-dense"
            onClick={() => {
              onTaken();
              undo().catch((error: unknown) =>
                notify({
                  title: t("notUndone"),
                  text: error instanceof Error ? error.message : String(error),
                  link,
                }),
              );
            }}
          >
            {t.rich("undo", { title, what: (words) => <span className="sr-only">{words}</span> })}
          </button>
        ) : null}
        {link ? (
          <Link className="btn btn-quiet btn-dense" href={link.href} onClick={onTaken}>
            {link.label}
          </Link>
        ) : null}
        <Toast.Close className="btn btn-quiet btn-dense" aria-label={t("dismiss")}>
          <span aria-hidden="true">✕</span>
        </Toast.Close>
      </div>
    </div>
  );
}
