import type { Ref } from "react";
import { formatDuration } from "@/components/ui";
import type { AttemptStory, StoryRow, TimeSpan } from "./story";

const barClass = {
  waiting: "fill-line",
  running: "fill-accent",
  succeeded: "fill-line-strong",
  failed: "fill-bad",
  cancelled: "fill-info",
  skipped: "fill-line",
} as const satisfies Record<StoryRow["state"], string>;

/** Width of the picture in its own units, and the least that is drawn of a bar. */
const [wide, least] = [1000, 3];
const high = 16;

interface GanttRowProps {
  readonly row: StoryRow;
  readonly story: AttemptStory;
  /** All that the row tells. */
  readonly words: string;
  readonly stateWords: string;
  readonly isReached: boolean;
  readonly button: Ref<HTMLButtonElement>;
  readonly onReach: () => void;
  readonly onOpen: () => void;
}

/** One run of a stage: its name, its bar over the usual time, and how long it took. */
export function GanttRow({ row, story, words, stateWords, isReached, ...rest }: GanttRowProps) {
  const { button, onReach, onOpen } = rest;
  const isQuiet = row.state === "waiting";
  return (
    <li>
      <button
        ref={button}
        type="button"
        tabIndex={isReached ? 0 : -1}
        aria-label={words}
        title={words}
        onFocus={onReach}
        onMouseEnter={onReach}
        onClick={onOpen}
        className={`grid min-h-6 w-full grid-cols-[88px_minmax(0,1fr)_64px] items-center gap-3 rounded-control text-left text-dense tablet:grid-cols-[128px_minmax(0,1fr)_80px] ${
          isReached ? "bg-[color-mix(in_srgb,var(--text)_4%,transparent)]" : ""
        } ${isQuiet ? "text-muted" : ""}`}
      >
        <span className={`truncate pl-1 ${row.state === "running" ? "font-strong" : ""}`}>
          {row.stage}
          {row.state === "failed" || row.state === "cancelled" ? (
            <span className={row.state === "failed" ? "text-bad" : "label"}> {stateWords}</span>
          ) : null}
        </span>
        <Bars row={row} story={story} />
        <span className="pr-1 text-right text-muted">
          {row.ran
            ? formatDuration(row.ran.endMs - row.ran.startMs)
            : row.usual
              ? `~${formatDuration(row.usual.medianMs)}`
              : ""}
        </span>
      </button>
    </li>
  );
}

function Bars({ row, story }: Pick<GanttRowProps, "row" | "story">) {
  const { ran, usual, expected, state } = row;
  const at = (ms: number) => (ms / story.axisMs) * wide;
  const box = ({ startMs, endMs }: TimeSpan) => {
    const width = Math.max(least, at(endMs) - at(startMs));
    return { x: Math.min(wide - width, at(startMs)), width };
  };
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${wide} ${high}`}
      preserveAspectRatio="none"
      className="h-4 w-full overflow-visible"
    >
      {usual ? (
        <>
          <rect
            {...box({ startMs: usual.fromMs, endMs: usual.fromMs + usual.medianMs })}
            y={1}
            height={high - 2}
            className="fill-[color-mix(in_srgb,var(--line-strong)_26%,transparent)]"
          />
          <rect
            {...box({ startMs: usual.fromMs + usual.lowMs, endMs: usual.fromMs + usual.highMs })}
            y={high - 2}
            height={1}
            className="fill-line-strong"
          />
        </>
      ) : null}
      {expected && state !== "waiting" ? (
        <rect
          {...box(expected)}
          y={4}
          height={high - 8}
          className="fill-[color-mix(in_srgb,var(--accent)_24%,transparent)]"
        />
      ) : null}
      {ran ? <rect {...box(ran)} y={4} height={high - 8} className={barClass[state]} /> : null}
      {story.isRunning ? (
        <rect
          x={at(story.presentMs)}
          y={-4}
          width={1.5}
          height={high + 8}
          className="fill-accent"
        />
      ) : null}
    </svg>
  );
}
