import { formatDuration, type PictureColumn } from "@/components/ui";
import type { AttemptStory, StoryRow } from "./story";
import { type BuildWords, clockWords } from "./words";

/** One run of a stage, with the attempt that it belongs to. */
interface StageRun extends StoryRow {
  readonly attempt: number;
}

/** The runs of all attempts, in the order in which the picture has them. */
export const rowsOfStories = (stories: readonly AttemptStory[]): StageRun[] =>
  stories.flatMap(({ attempt, groups }) =>
    groups.flatMap(({ rows }) => rows.map((row) => ({ ...row, attempt }))),
  );

const known = (ms: number | undefined) => (ms === undefined ? "–" : formatDuration(ms));
const tookOf = ({ ran }: StageRun) => (ran ? ran.endMs - ran.startMs : undefined);

/** What the table and the file tell of each run. */
export const ganttColumns = (t: BuildWords): PictureColumn<StageRun>[] => [
  { id: "attempt", label: t("timeline.attemptHead"), value: ({ attempt }) => attempt },
  { id: "stage", label: t("timeline.stage"), value: ({ stage }) => stage },
  {
    id: "clockHz",
    label: t("timeline.clock"),
    value: ({ clock }) => clock?.hz ?? null,
    show: ({ clock }) => (clock ? clockWords(t, clock) : "–"),
  },
  {
    id: "state",
    label: t("timeline.state"),
    value: ({ state }) => state,
    show: ({ state, reason }) =>
      reason ? `${t(`timeline.states.${state}`)} ${reason}` : t(`timeline.states.${state}`),
  },
  {
    id: "startMs",
    label: t("timeline.began"),
    value: ({ ran }) => ran?.startMs ?? null,
    show: ({ ran }) => known(ran?.startMs),
  },
  {
    id: "durationMs",
    label: t("timeline.tookHead"),
    value: (row) => tookOf(row) ?? null,
    show: (row) => known(tookOf(row)),
  },
  {
    id: "usualMs",
    label: t("timeline.usualHead"),
    value: ({ usual }) => usual?.medianMs ?? null,
    show: ({ usual }) =>
      usual
        ? `${formatDuration(usual.medianMs)} (${formatDuration(usual.lowMs)}–${formatDuration(usual.highMs)})`
        : "–",
  },
];
