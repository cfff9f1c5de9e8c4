import { useRef, useState } from "react";
import type { StageName } from "@/lib/common/contract";
import { type Fold, foldsOf, Rows } from "./folds";
import type { LogSnapshot } from "./log-store";

export interface LogRows {
  readonly folds: readonly Fold[];
  /** What is drawn of the log as its folds stand. */
  readonly rows: Rows;
  /** Opens a closed fold, or closes an open one. */
  toggle(fold: Fold): void;
  /** Opens the fold that holds line `n`. */
  reveal(n: number): void;
}

/** The folds of a log, which of them are open, and the rows that come of it. */
export function useRows(
  log: LogSnapshot,
  { running, failedStage }: { running: boolean; failedStage: StageName | null },
): LogRows {
  const folds = useFolds(log);
  const [toggled, setToggled] = useState<ReadonlyMap<number, boolean>>(new Map());

  const isOpen = (fold: Fold) => {
    const chosen = toggled.get(fold.first);
    if (chosen !== undefined) return chosen;
    const isLast = fold === folds.at(-1);
    if (fold.stage === failedStage) return fold.errors > 0 || isLast;
    return isLast && (running || failedStage === null);
  };
  const set = (fold: Fold, open: boolean) => setToggled(new Map(toggled).set(fold.first, open));

  return {
    folds,
    rows: new Rows(folds, isOpen),
    toggle: (fold) => set(fold, !isOpen(fold)),
    reveal: (n) => {
      const fold = folds.find(({ first, last }) => n >= first && n <= last);
      // Pinned open even if it is open now: the default closes a fold once the next one begins.
      if (fold) set(fold, true);
    },
  };
}

/** Folds of a log that grows in place. */
function useFolds({ lines, version }: LogSnapshot): readonly Fold[] {
  const kept = useRef<{ version: number; folds: readonly Fold[] }>({ version: 0, folds: [] });
  if (kept.current.version !== version) {
    kept.current = { version, folds: foldsOf(lines, kept.current.folds) };
  }
  return kept.current.folds;
}
