import { useTranslations } from "next-intl";
import { useEffect } from "react";
import { FoldRow } from "./fold-row";
import type { Row } from "./folds";
import { LineRow } from "./line-row";
import { lineTime } from "./line-time";
import { type LogMemory, linePx } from "./log-memory";
import type { Log } from "./use-log";
import type { LogView } from "./use-log-view";

interface LogLinesProps {
  readonly attempt: number;
  readonly log: Log;
  readonly view: LogView;
  readonly memory: LogMemory;
  readonly running: boolean;
}

/** Above and below the rows, in pixels. */
const marginPx = 16;

/** The part of the log that scrolls: its lines under the headers of their stages. As high as they are, if that fits. */
export function LogLines(props: LogLinesProps) {
  const { attempt, log, view, memory, running } = props;
  const { scroller, following, content } = view;
  const t = useTranslations("builds.log");
  const { font, high } = linePx[memory.textSize];
  useWantedLines(log, view);
  if (content.rows.count === 0) return null;
  return (
    <div
      ref={scroller.element}
      role="log"
      aria-live="off"
      aria-label={t("region", { attempt, count: log.outline.lines })}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      className={`relative overflow-auto overscroll-contain py-2 font-mono outline-offset-[-2px] ${
        running ? "min-h-60" : "min-h-9"
      }`}
      style={{
        height: scroller.virtual.getTotalSize() + marginPx,
        fontSize: font,
        lineHeight: `${high}px`,
      }}
      onScroll={() => {
        scroller.onScroll();
        following.onScroll();
      }}
      onWheel={following.onUserMove}
      onTouchMove={() => following.onUserMove({})}
      onPointerDown={(event) => {
        if (event.target === event.currentTarget) following.onUserMove({});
      }}
    >
      <MountedRows {...props} />
    </div>
  );
}

/** Has the lines fetched that are in view. */
function useWantedLines({ want, version }: Log, { scroller, content }: LogView) {
  const mounted = scroller.virtual.getVirtualItems();
  const lines = mounted.flatMap(({ index }) => {
    const row = content.rows.at(scroller.base + index);
    return row?.kind === "line" ? row.n : [];
  });
  const [first = 0, last = 0] = [lines[0], lines.at(-1)];
  // biome-ignore lint/correctness/useExhaustiveDependencies: lines that were let go are asked for again
  useEffect(() => {
    if (first > 0) want(first, last);
  }, [want, first, last, version]);
}

/** As high as all rows; holds those that are in view. */
function MountedRows(props: LogLinesProps) {
  const { virtual, base } = props.view.scroller;
  return (
    <div
      className="relative min-w-full"
      style={{ height: virtual.getTotalSize(), width: props.memory.wrap ? "100%" : "max-content" }}
    >
      {virtual.getVirtualItems().map(({ key, index, start }) => {
        const row = props.view.content.rows.at(base + index);
        if (!row) return null;
        return (
          <div
            key={key}
            data-index={index}
            ref={virtual.measureElement}
            className="absolute top-0 left-0 min-w-full"
            style={{ transform: `translateY(${start}px)` }}
          >
            <LogRow {...props} row={row} />
          </div>
        );
      })}
    </div>
  );
}

function LogRow({ row, log, view, memory }: LogLinesProps & { row: Row }) {
  const { content, selection, find } = view;
  if (row.kind === "fold") {
    return <FoldRow fold={row.fold} open={row.open} onToggle={() => content.toggle(row.fold)} />;
  }
  const { n } = row;
  const { range } = selection;
  const line = log.lineAt(n);
  const startTime = log.outline.folds[0]?.firstTime;
  return (
    <LineRow
      n={n}
      line={line}
      time={line ? lineTime(memory.times, line, { startTime, before: log.lineAt(n - 1) }) : null}
      hasTime={memory.times !== "off"}
      lit={range !== null && n >= range.first && n <= range.last}
      wrap={memory.wrap}
      mark={find.mark}
      onPick={(extend) => selection.pick(n, extend)}
    />
  );
}
