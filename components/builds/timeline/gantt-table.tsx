import { useTranslations } from "next-intl";
import { formatDuration } from "@/components/ui";
import type { AttemptStory } from "./story";
import { clockWords } from "./words";

/** The same as the picture, as a table. */
export function GanttTable({ stories }: { readonly stories: readonly AttemptStory[] }) {
  const t = useTranslations("builds");
  const known = (ms: number | undefined) => (ms === undefined ? "–" : formatDuration(ms));
  return (
    <details className="mt-2 text-dense">
      <summary className="cursor-pointer text-muted">{t("timeline.asTable")}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section className="overflow-x-auto" aria-label={t("timeline.table")} tabIndex={0}>
        <table className="table mt-1 text-dense">
          <thead>
            <tr>
              <th className="num">{t("timeline.attemptHead")}</th>
              <th>{t("timeline.stage")}</th>
              <th>{t("timeline.clock")}</th>
              <th>{t("timeline.state")}</th>
              <th className="num">{t("timeline.began")}</th>
              <th className="num">{t("timeline.tookHead")}</th>
              <th className="num">{t("timeline.usualHead")}</th>
            </tr>
          </thead>
          <tbody>
            {stories.flatMap(({ attempt, groups }) =>
              groups.flatMap(({ clock, rows }) =>
                rows.map(({ key, stage, state, ran, usual, reason }) => (
                  <tr key={`${attempt} ${key}`}>
                    <td className="num">{attempt}</td>
                    <td>{stage}</td>
                    <td>{clock ? clockWords(t, clock) : "–"}</td>
                    <td>
                      {t(`timeline.states.${state}`)}
                      {reason ? <span className="label"> {reason}</span> : null}
                    </td>
                    <td className="num">{known(ran?.startMs)}</td>
                    <td className="num">{known(ran ? ran.endMs - ran.startMs : undefined)}</td>
                    <td className="num">
                      {usual
                        ? `${formatDuration(usual.medianMs)} (${formatDuration(usual.lowMs)}–${formatDuration(usual.highMs)})`
                        : "–"}
                    </td>
                  </tr>
                )),
              ),
            )}
          </tbody>
        </table>
      </section>
    </details>
  );
}
