import type { useTranslations } from "next-intl";
import { formatDuration, formatMhz } from "@/components/ui";
import type { BuildTimeline, ClockTry } from "@/lib/common/contract";
import type { AttemptStory, StoryRow } from "./story";

/** Gives the texts of builds. */
export type BuildWords = ReturnType<typeof useTranslations<"builds">>;

/** What became of a clock: “48 MHz, missed by 1.5 MHz”. */
export function clockWords(t: BuildWords, { hz, achievedMhz, isMet }: ClockTry): string {
  const clock = formatMhz(hz);
  if (isMet === null || achievedMhz === null) return t("timeline.clockTried", { clock });
  if (isMet) return t("timeline.clockMet", { clock });
  return t("timeline.clockMissed", { clock, by: formatMhz(Math.max(0, hz - achievedMhz * 1e6)) });
}

/** How long after the beginning; at once is no fraction of a microsecond. */
const sinceStart = (ms: number): string => formatDuration(Math.max(1, Math.round(ms)));

/** All that a row tells, as one sentence. */
export function rowWords(t: BuildWords, row: StoryRow): string {
  const { stage, ran, usual, state, expected, clock } = row;
  const said = [
    clock ? `${stage}, ${formatMhz(clock.hz)}` : stage,
    t(`timeline.states.${state}`),
    ran
      ? t("timeline.ran", {
          took: formatDuration(ran.endMs - ran.startMs),
          after: sinceStart(ran.startMs),
        })
      : null,
    !ran && expected ? t("timeline.beginsIn", { after: sinceStart(expected.startMs) }) : null,
    usual
      ? t("timeline.usually", {
          median: formatDuration(usual.medianMs),
          low: formatDuration(usual.lowMs),
          high: formatDuration(usual.highMs),
          count: usual.builds,
        })
      : null,
  ];
  return said.filter((part) => part !== null).join("; ");
}

/** What the picture says: how long it took or takes, what is left, and what is usual. */
export function storyWords(
  t: BuildWords,
  { usual, expectedMs }: BuildTimeline,
  story: AttemptStory,
): { readonly title: string; readonly text: string } {
  const took = formatDuration(story.tookMs);
  const { expectedEndMs } = story;
  const title = story.isRunning
    ? expectedEndMs === null
      ? t("timeline.runningFor", { took })
      : expectedEndMs - story.presentMs < 500
        ? t("timeline.overdue", { took })
        : t("timeline.left", { took, left: formatDuration(expectedEndMs - story.presentMs) })
    : t("timeline.took", { took, longest: longestStage(story) ?? "–" });
  const isCompared = usual.total !== null || expectedMs !== null;
  const text =
    story.isRunning || isCompared ? usualWords(t, usual, expectedMs) : t("timeline.notCompared");
  return { title, text };
}

function usualWords(
  t: BuildWords,
  { total, builds }: BuildTimeline["usual"],
  expectedMs: number | null,
): string {
  if (total)
    return t("timeline.usual", {
      median: formatDuration(total.medianMs),
      low: formatDuration(total.lowMs),
      high: formatDuration(total.highMs),
      count: builds,
    });
  return expectedMs === null
    ? t("timeline.nothingKnown")
    : t("timeline.forecast", { time: formatDuration(expectedMs) });
}

/** The stage that took longest, all its runs together. */
function longestStage({ groups }: AttemptStory): string | null {
  const spent = new Map<string, number>();
  for (const { stage, ran } of groups.flatMap(({ rows }) => rows)) {
    if (ran) spent.set(stage, (spent.get(stage) ?? 0) + ran.endMs - ran.startMs);
  }
  return [...spent].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}
