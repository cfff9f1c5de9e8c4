import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { formatDuration, useNow } from "@/components/ui";
import { plainLine } from "@/lib/common/log-outline";
import { timelineQuery } from "../api";
import type { Log } from "./use-log";

const silentMs = 120_000;

/** After two minutes without output: what was said last, and how long this stage usually takes. */
export function SilenceNote({ buildId, log }: { readonly buildId: string; readonly log: Log }) {
  const t = useTranslations("builds.log");
  const timeline = useQuery(timelineQuery(buildId));
  const now = useNow();
  const fold = log.outline.folds.at(-1);
  if (!fold || now === 0) return null;
  const aheadMs = timeline.data ? Date.parse(timeline.data.now) - timeline.dataUpdatedAt : 0;
  const quietMs = now + aheadMs - Date.parse(fold.lastTime);
  if (quietMs < silentMs) return null;
  const usual = timeline.data?.usual.stages.find(({ name }) => name === fold.stage);
  const line = log.lineAt(fold.last);
  return (
    <div role="status" className="mb-3 border-l-2 border-warn py-1 pl-3 text-dense">
      <p>
        {t("silent", { time: formatDuration(quietMs), stage: fold.stage })}{" "}
        {usual
          ? t("silentUsual", {
              stage: fold.stage,
              time: formatDuration(usual.medianMs),
              most: formatDuration(usual.highMs),
            })
          : t("silentUnknown", { stage: fold.stage })}
      </p>
      {line ? (
        <p className="mt-0.5 truncate text-muted">
          {t("lastLine")} <code>{plainLine(line.text)}</code>
        </p>
      ) : null}
    </div>
  );
}
