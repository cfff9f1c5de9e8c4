"use client";

import { useTranslations } from "next-intl";
import { splitTime } from "../answer/time-split";
import { Failures } from "./failures";
import { LatencyHistogram } from "./latency-histogram";
import type { ManyRun } from "./use-many";

/** How long a request took again and again, as the browser saw it and as the server did. */
export function RepeatReport({ run }: { run: ManyRun }) {
  const t = useTranslations("predictions");
  const answers = run.results.flatMap(({ answer }) => (answer?.ok ? [answer] : []));
  const seconds = (run.endedMs - run.startedMs) / 1000;
  return (
    <>
      <p className="mt-2 text-dense text-muted">
        {t("rate", { rate: seconds > 0 ? (answers.length / seconds).toPrecision(3) : "–" })}
      </p>
      <LatencyHistogram name={t("seenByBrowser")} times={answers.map(({ totalNs }) => totalNs)} />
      <LatencyHistogram
        name={t("withinServer")}
        times={answers.map(({ totalNs, timing }) => splitTime(totalNs, timing).serverNs)}
      />
      <Failures results={run.results} />
    </>
  );
}
