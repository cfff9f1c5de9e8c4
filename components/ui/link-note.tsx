import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { CopyButton } from "./copy-button";

interface LinkNoteProps {
  readonly title: string;
  /** For whom, and how long it is good. */
  readonly text: string;
  readonly url: string;
  readonly onDone: () => void;
}

/** A link that is shown once. It stays until somebody says that they have it. */
export function LinkNote({ title, text, url, onDone }: LinkNoteProps) {
  const t = useTranslations("ui.link");
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div role="status" className="max-w-[840px] border-l-2 border-ok py-1 pl-4">
      <h3 ref={heading} tabIndex={-1}>
        {title}
      </h3>
      <p className="mt-1">{text}</p>
      <p className="mt-2 flex flex-wrap items-center gap-2">
        <code className="break-all">{url}</code>
        <CopyButton text={url} label={t("copy")} />
      </p>
      <button type="button" className="btn mt-4" onClick={onDone}>
        {t("sent")}
      </button>
    </div>
  );
}
