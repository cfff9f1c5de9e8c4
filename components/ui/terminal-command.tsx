"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { CopyButton } from "./copy-button";

/** "Do this from the terminal": the same action as a command, filled with the present values. */
export function TerminalCommand({ title, command }: { title: string; command: string }) {
  const t = useTranslations("ui.copy");
  const [open, setOpen] = useState(false);
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer py-1 text-dense text-muted hover:text-text">
        {title}
      </summary>
      <div className="well relative mt-1 p-3 pr-16">
        <pre className="text-label break-all whitespace-pre-wrap">{command}</pre>
        <div className="absolute top-1 right-1">
          <CopyButton text={command} label={t("command")} />
        </div>
      </div>
    </details>
  );
}
