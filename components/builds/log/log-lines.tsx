import type { LogLine } from "@/lib/common/contract";
import { FoldRow } from "./fold-row";
import type { Row } from "./folds";
import { LineRow } from "./line-row";
import type { LogView } from "./use-log-view";

interface LogLinesProps {
  readonly attempt: number;
  readonly lines: readonly LogLine[];
  readonly view: LogView;
  readonly wrap: boolean;
}

/** The part of the log that scrolls: its lines under the headers of their stages. */
export function LogLines(props: LogLinesProps) {
  const { attempt, lines, view } = props;
  const { scroller, following } = view;
  return (
    <div
      ref={scroller.element}
      role="log"
      aria-live="off"
      aria-label={`Log of attempt ${attempt}, ${lines.length} lines`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      className="relative min-h-0 flex-1 overflow-auto overscroll-contain py-2 font-mono text-dense leading-[20px] outline-offset-[-2px]"
      onScroll={following.onScroll}
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

/** As high as all rows; holds those that are in view. */
function MountedRows(props: LogLinesProps) {
  const { virtual } = props.view.scroller;
  return (
    <div
      className="relative min-w-full"
      style={{ height: virtual.getTotalSize(), width: props.wrap ? "100%" : "max-content" }}
    >
      {virtual.getVirtualItems().map(({ key, index, start }) => {
        const row = props.view.content.rows.at(index);
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

function LogRow({ row, lines, view, wrap }: LogLinesProps & { row: Row }) {
  const { content, selection, find } = view;
  if (row.kind === "fold") {
    return <FoldRow fold={row.fold} open={row.open} onToggle={() => content.toggle(row.fold)} />;
  }
  const { n } = row;
  const { range } = selection;
  return (
    <LineRow
      n={n}
      text={lines[n - 1]?.text ?? ""}
      level={lines[n - 1]?.level ?? "info"}
      lit={range !== null && n >= range.first && n <= range.last}
      wrap={wrap}
      find={find.sought}
      onPick={(extend) => selection.pick(n, extend)}
    />
  );
}
