import { useTranslations } from "next-intl";
import { formatCount, ToneIcon } from "@/components/ui";
import type { VectorsProgress } from "./messages";
import type { SimulationView } from "./use-simulation";

/** Every row that the build proved, run again here. */
export function VectorsLine({
  view,
  onRun,
  onStop,
}: {
  view: SimulationView;
  onRun: () => void;
  onStop: () => void;
}) {
  const t = useTranslations("simulate.vectors");
  const { vectors, busy } = view;
  const running = busy === "vectors";
  return (
    <section aria-label={t("title")} className="mt-8">
      <h3>{t("title")}</h3>
      <p className="mt-1 max-w-[68ch] text-muted">{t("text")}</p>
      <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        {running ? (
          <button type="button" className="btn" onClick={onStop}>
            {t("stop")}
          </button>
        ) : (
          <button type="button" className="btn" disabled={busy !== null} onClick={onRun}>
            {t("run")}
          </button>
        )}
        {vectors ? (
          <div
            role="progressbar"
            aria-label={t("progress")}
            aria-valuemin={0}
            aria-valuemax={vectors.total}
            aria-valuenow={vectors.done}
            className="bar w-48"
          >
            <i className="bar-fill" style={{ width: `${(vectors.done / vectors.total) * 100}%` }} />
          </div>
        ) : null}
        <p role="status" className="flex items-baseline gap-2 text-dense">
          {vectors && !running ? (
            <ToneIcon tone={vectors.equal === vectors.done ? "ok" : "bad"} />
          ) : null}
          <span>{vectors ? words(vectors, running, t) : ""}</span>
        </p>
      </div>
    </section>
  );
}

/** How far the run is; when it has ended, what it found. */
function words(
  { total, done, equal, firstDifferent, cyclesPerSecond }: VectorsProgress,
  running: boolean,
  t: ReturnType<typeof useTranslations<"simulate.vectors">>,
): string {
  if (running) return t("running", { done: formatCount(done), total: formatCount(total) });
  const left = total - done;
  return [
    t("result", { count: equal, equal: formatCount(equal), done: formatCount(done) }),
    ...(firstDifferent === null ? [] : [t("different", { row: formatCount(firstDifferent + 1) })]),
    ...(left === 0 ? [] : [t("stopped", { count: left, left: formatCount(left) })]),
    ...(cyclesPerSecond > 0 ? [t("rate", { rate: formatCount(cyclesPerSecond) })] : []),
  ].join(" · ");
}
