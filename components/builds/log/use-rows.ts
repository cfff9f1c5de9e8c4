import { useState } from "react";
import type { LogFold, LogOutline, StageName } from "@/lib/common/contract";
import { FoldRows } from "./folds";
import type { LogMemory } from "./log-memory";

export interface LogRows {
  readonly folds: readonly LogFold[];
  /** What is drawn of the log as its folds stand. */
  readonly rows: FoldRows;
  /** Opens a closed fold, or closes an open one. */
  toggle(fold: LogFold): void;
  /** Opens the fold that holds line `n`. */
  reveal(n: number): void;
  /** Forgets which folds were opened or closed one by one. */
  forget(): void;
}

interface RowsRequest {
  readonly running: boolean;
  readonly failedStage: StageName | null;
  readonly kept: LogMemory["folds"];
}

/** The folds of a log, which of them are open, and the rows that come of it. */
export function useRows(
  { folds }: LogOutline,
  { running, failedStage, kept }: RowsRequest,
): LogRows {
  const [toggled, setToggled] = useState<ReadonlyMap<number, boolean>>(new Map());

  const isOpen = (fold: LogFold) => {
    const chosen = toggled.get(fold.first);
    if (chosen !== undefined) return chosen;
    if (kept !== "auto") return kept === "open";
    const isLast = fold === folds.at(-1);
    if (fold.stage === failedStage) return fold.errors > 0 || isLast;
    return isLast && (running || failedStage === null);
  };
  const set = (fold: LogFold, open: boolean) => setToggled(new Map(toggled).set(fold.first, open));

  return {
    folds,
    rows: new FoldRows(folds, isOpen),
    toggle: (fold) => set(fold, !isOpen(fold)),
    reveal: (n) => {
      const fold = folds.find(({ first, last }) => n >= first && n <= last);
      // Pinned open even if it is open now: the default closes a fold once the next one begins.
      if (fold) set(fold, true);
    },
    forget: () => setToggled(new Map()),
  };
}
