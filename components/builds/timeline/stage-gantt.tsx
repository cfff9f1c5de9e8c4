"use client";

import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type KeyboardEvent, useRef, useState } from "react";
import { ErrorNote, formatDuration, HeadingLink, Skeleton, useNow } from "@/components/ui";
import type { Build, BuildTimeline } from "@/lib/common/contract";
import { timelineQuery } from "../api";
import { GanttRow } from "./gantt-row";
import { GanttTable } from "./gantt-table";
import { type AttemptStory, type StoryRow, storyOf } from "./story";
import { clockWords, rowWords, storyWords } from "./words";

/** The stages of a build over time, each over what is usual for it; what is left while it runs. */
export function StageGantt({
  build,
  attempt,
}: {
  readonly build: Build;
  readonly attempt: number;
}) {
  const query = useQuery(timelineQuery(build.id));
  const t = useTranslations("builds");
  if (query.isPending) return <Skeleton lines={6} height={22} />;
  if (query.isError)
    return (
      <ErrorNote
        title={t("timeline.unreadable")}
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    );
  return (
    <Drawn
      build={build}
      shown={attempt}
      timeline={query.data}
      aheadMs={Date.parse(query.data.now) - query.dataUpdatedAt}
    />
  );
}

interface DrawnProps {
  readonly build: Build;
  readonly timeline: BuildTimeline;
  /** The attempt whose log is on the page. */
  readonly shown: number;
  /** How far the server's clock is before ours. */
  readonly aheadMs: number;
}

function Drawn({ build, timeline, shown, aheadMs }: DrawnProps) {
  const t = useTranslations("builds");
  const nowMs = useNow() + aheadMs;
  const stories = storyOf(timeline, build.boardKind, nowMs);
  const last = stories.at(-1);
  const waits = timeline.queued.map(({ from, to }) =>
    Math.max(0, (to ? Date.parse(to) : nowMs) - Date.parse(from)),
  );
  const waitedMs = waits.reduce((sum, each) => sum + each, 0);
  if (!last) return null;
  const { title, text } = storyWords(t, timeline, last);
  return (
    <section aria-labelledby="timeline" className="mb-6 min-w-0">
      <div className="flex items-baseline gap-1">
        <h2 id="timeline" className="text-section">
          {title}
        </h2>
        <HeadingLink id="timeline" title={title} />
      </div>
      <p className="mb-3 text-dense text-muted">
        {waitedMs >= 100
          ? `${t("timeline.waited", { time: formatDuration(waitedMs), count: waits.length })} `
          : null}
        {text}
      </p>
      <Rows build={build} stories={stories} shown={shown} />
      <GanttTable stories={stories} />
    </section>
  );
}

interface RowsProps {
  readonly build: Build;
  readonly stories: readonly AttemptStory[];
  readonly shown: number;
}

/** All rows as one list that arrows walk through; a row opens the lines of its stage. */
function Rows({ build, stories, shown }: RowsProps) {
  const t = useTranslations("builds");
  const rows = stories.flatMap((story) =>
    story.groups.flatMap((group) => group.rows.map((row) => ({ story, row }))),
  );
  const open = useOpenLines(build.id, shown);
  const { reached, reach, refOf, onKeyDown } = useRoving(rows.length);
  const at = new Map(rows.map(({ row }, index) => [row, index]));
  return (
    <>
      <ol aria-label={t("timeline.stages")} onKeyDown={onKeyDown}>
        {stories.map((story) => (
          <Attempt key={story.attempt} story={story} isOnly={stories.length === 1}>
            {(row) => {
              const index = at.get(row) ?? 0;
              return (
                <GanttRow
                  key={row.key}
                  row={row}
                  story={story}
                  words={rowWords(t, row)}
                  stateWords={t(`timeline.states.${row.state}`)}
                  isReached={index === reached}
                  button={refOf(index)}
                  onReach={() => reach(index)}
                  onOpen={() => open(story.attempt, row.firstLine)}
                />
              );
            }}
          </Attempt>
        ))}
      </ol>
      <p aria-hidden="true" className="mt-1 min-h-5 text-label text-muted">
        {rows[reached] ? rowWords(t, rows[reached].row) : null}
      </p>
    </>
  );
}

interface AttemptProps {
  readonly story: AttemptStory;
  readonly isOnly: boolean;
  readonly children: (row: StoryRow) => React.ReactNode;
}

function Attempt({ story, isOnly, children }: AttemptProps) {
  const t = useTranslations("builds");
  return (
    <>
      {isOnly ? null : (
        <li className="label mt-2">
          {story.outcome
            ? t("timeline.attemptEnded", { attempt: story.attempt, outcome: story.outcome })
            : t("timeline.attempt", { attempt: story.attempt })}
        </li>
      )}
      {story.groups.map(({ clock, rows }) => [
        clock ? (
          <li
            key={`clock ${clock.hz} ${clock.achievedMhz}`}
            className={`label mt-1 pl-1 ${clock.isMet === false ? "text-warn!" : ""}`}
          >
            {clockWords(t, clock)}
          </li>
        ) : null,
        ...rows.map(children),
      ])}
      {story.skipped.length > 0 ? (
        <li className="label mt-1 pl-1">
          {t("timeline.skipped", { stages: story.skipped.join(", ") })}
        </li>
      ) : null}
      <li
        aria-hidden="true"
        className="flex justify-between border-t border-line pt-0.5 text-label text-muted tablet:mr-23 tablet:ml-35"
      >
        <span>0</span>
        <span>{formatDuration(story.axisMs / 2)}</span>
        <span>{formatDuration(story.axisMs)}</span>
      </li>
    </>
  );
}

/** Goes to the first log line of a stage. */
function useOpenLines(buildId: string, shown: number) {
  const router = useRouter();
  return (attempt: number, line: number | null) => {
    if (line === null) return;
    if (attempt === shown) window.location.hash = `L${line}`;
    else router.push(`/builds/${buildId}?attempt=${attempt}#L${line}`);
  };
}

/** One stop for the Tab key; arrows go from row to row. */
function useRoving(count: number) {
  const [reached, reach] = useState(0);
  const buttons = useRef(new Map<number, HTMLButtonElement>());
  const refOf = (index: number) => (button: HTMLButtonElement | null) => {
    if (button) buttons.current.set(index, button);
    else buttons.current.delete(index);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowDown: reached + 1, ArrowUp: reached - 1, Home: 0, End: count - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(count - 1, to));
    reach(next);
    buttons.current.get(next)?.focus();
  };
  return { reached: Math.min(reached, Math.max(0, count - 1)), reach, refOf, onKeyDown };
}
