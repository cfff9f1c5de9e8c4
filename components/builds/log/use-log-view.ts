import type { StageName } from "@/lib/common/contract";
import { type Find, useFind } from "./use-find";
import { useFirstError } from "./use-first-error";
import { type Following, useFollowing } from "./use-following";
import { useLinkedLines } from "./use-linked-lines";
import type { Log } from "./use-log";
import { type Problems, useProblems } from "./use-problems";
import { type LogRows, useRows } from "./use-rows";
import { type Scroller, useScroller } from "./use-scroller";
import { type Selection, useSelection } from "./use-selection";

export interface LogView {
  readonly content: LogRows;
  readonly scroller: Scroller;
  readonly following: Following;
  readonly selection: Selection;
  readonly problems: Problems;
  readonly find: Find;
  readonly toStart: () => void;
}

interface LogViewRequest {
  readonly attempt: number;
  readonly running: boolean;
  readonly failedStage: StageName | null;
}

/** What is looked at in a log, and every way to look elsewhere. */
export function useLogView(log: Log, { attempt, running, failedStage }: LogViewRequest): LogView {
  const content = useRows(log, { running, failedStage });
  const { rows, reveal } = content;
  const scroller = useScroller(rows);
  const following = useFollowing(log, { rows, scroller, running });
  const goTo = (n: number) => {
    reveal(n);
    following.stop();
    scroller.jumpTo(n);
  };
  const selection = useSelection(log.lines, { attempt, onSelect: following.stop });
  const { range, select, show } = selection;
  const problems = useProblems(log, {
    from: range?.first,
    onFound: (n) => {
      select({ first: n, last: n });
      goTo(n);
    },
  });
  const find = useFind(log, goTo);
  const linkWaits = useLinkedLines(log, {
    onLink: following.stop,
    onLines: (linked) => {
      show(linked);
      goTo(linked.first);
    },
  });
  useFirstError(log, { failedStage, elsewhere: linkWaits || range !== null, goTo });
  const toStart = () => {
    following.stop();
    scroller.toStart();
  };
  return { content, scroller, following, selection, problems, find, toStart };
}
