import type { StageName } from "@/lib/common/contract";
import { type LogMemory, linePx } from "./log-memory";
import { type Find, useFind } from "./use-find";
import { useFirstError } from "./use-first-error";
import { type Following, useFollowing } from "./use-following";
import { useLinkedLines } from "./use-linked-lines";
import type { Log } from "./use-log";
import { type ProblemSteps, useProblems } from "./use-problems";
import { type LogRows, useRows } from "./use-rows";
import { type Scroller, useScroller } from "./use-scroller";
import { type Selection, useSelection } from "./use-selection";

export interface LogView {
  readonly content: LogRows;
  readonly scroller: Scroller;
  readonly following: Following;
  readonly selection: Selection;
  readonly problems: ProblemSteps;
  readonly find: Find;
  readonly toStart: () => void;
  /** Brings the header of the next stage, or of the one before, to the top. */
  readonly stepStage: (by: 1 | -1) => void;
  /** Selects a line and brings it into view. */
  readonly show: (n: number) => void;
}

interface LogViewRequest {
  readonly buildId: string;
  readonly attempt: number;
  readonly running: boolean;
  readonly failedStage: StageName | null;
  readonly memory: LogMemory;
}

/** What is looked at in a log, and every way to look elsewhere. */
export function useLogView(log: Log, request: LogViewRequest): LogView {
  const { buildId, attempt, running, failedStage, memory } = request;
  const content = useRows(log.outline, { running, failedStage, kept: memory.folds });
  const { rows, reveal } = content;
  const scroller = useScroller(rows, linePx[memory.textSize].high);
  const following = useFollowing(log, { rows, scroller, running });
  const goTo = (n: number) => {
    reveal(n);
    following.stop();
    scroller.jumpTo(n);
  };
  const selection = useSelection({ buildId, attempt, onSelect: following.stop });
  const { range, select, show: showRange } = selection;
  const show = (n: number) => {
    select({ first: n, last: n });
    goTo(n);
  };
  const problems = useProblems(log.outline, { from: range?.first, onFound: show });
  const find = useFind({ buildId, attempt, running, goTo });
  const linkWaits = useLinkedLines(log, {
    onLink: following.stop,
    onLines: (linked) => {
      showRange(linked);
      goTo(linked.first);
    },
  });
  useFirstError(log, { failedStage, elsewhere: linkWaits || range !== null, goTo });
  const toStart = () => {
    following.stop();
    scroller.toStart();
  };
  const stepStage = (by: 1 | -1) => {
    const top = scroller.base + (scroller.topIndex() ?? 0);
    const headers = content.folds.map((fold) => rows.headerOf(fold));
    const to = by === 1 ? headers.find((at) => at > top) : headers.findLast((at) => at < top);
    if (to === undefined) return;
    following.stop();
    scroller.jumpToRow(to);
  };
  return { content, scroller, following, selection, problems, find, toStart, stepStage, show };
}
