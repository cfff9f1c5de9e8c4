import { useTranslations } from "next-intl";
import { ErrorNote, Skeleton } from "@/components/ui";
import type { Log } from "./use-log";

/** In the place of lines while there are none: that they come, why they do not, or that none was written. */
export function LogAbsence({ log, running }: { log: Log; running: boolean }) {
  const t = useTranslations("builds.log");
  if (log.outline.lines > 0 && !log.error) return null;
  return (
    <>
      {log.error ? (
        <div className="p-4">
          <ErrorNote title={t("unreadable")} error={log.error} />
        </div>
      ) : null}
      {!log.filled && !log.error ? (
        <div className="p-4">
          <Skeleton lines={8} height={14} />
        </div>
      ) : null}
      {log.filled && log.outline.lines === 0 ? (
        <p className="p-4 text-dense text-muted">
          {running ? t("nothingYet") : t("nothingWritten")}
        </p>
      ) : null}
    </>
  );
}
