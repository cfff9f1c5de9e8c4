import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { CopyButton } from "./copy-button";

/** An empty place that teaches: what lives here, one action, and the line that does the same. */
export function Empty({
  title,
  children,
  action,
  command,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  command?: string;
}) {
  const t = useTranslations("ui.copy");
  return (
    <div className="max-w-[68ch] py-6">
      <p className="font-strong">{title}</p>
      {children === undefined ? null : <p className="mt-1 text-muted">{children}</p>}
      {action === undefined ? null : <div className="mt-4">{action}</div>}
      {command === undefined ? null : (
        <div className="well mt-4 flex items-start gap-2 py-1 pr-1 pl-3">
          <code className="min-w-0 flex-1 py-1.5 break-all whitespace-pre-wrap">{command}</code>
          <CopyButton text={command} label={t("command")} />
        </div>
      )}
    </div>
  );
}
