import type { LogFold } from "@/lib/common/contract";

/** One row of the drawn log. */
export type Row =
  | { readonly kind: "fold"; readonly fold: LogFold; readonly open: boolean }
  | { readonly kind: "line"; readonly n: number };

/** What is drawn: a header for each fold, and the lines of those that are open. Rows are made when asked for, so a million lines cost nothing. */
export class FoldRows {
  readonly count: number;
  private readonly starts: number[] = [];
  private readonly folds: readonly LogFold[];
  private readonly isOpen: (fold: LogFold) => boolean;

  constructor(folds: readonly LogFold[], isOpen: (fold: LogFold) => boolean) {
    this.folds = folds;
    this.isOpen = isOpen;
    let count = 0;
    for (const fold of folds) {
      this.starts.push(count);
      count += 1 + (isOpen(fold) ? fold.last - fold.first + 1 : 0);
    }
    this.count = count;
  }

  at(index: number): Row | null {
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.starts[middle] ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    const fold = this.folds[low];
    const start = this.starts[low];
    if (!fold || start === undefined || index < 0 || index >= this.count) return null;
    if (index === start) return { kind: "fold", fold, open: this.isOpen(fold) };
    return { kind: "line", n: fold.first + (index - start - 1) };
  }

  /** Row of the header of a fold; −1 if it is none of these. */
  headerOf(fold: LogFold): number {
    return this.starts[this.folds.indexOf(fold)] ?? -1;
  }

  /** Row of a line, or of its fold's header while that is closed; −1 if the line is not there. */
  indexOf(n: number): number {
    const at = this.folds.findIndex((fold) => n >= fold.first && n <= fold.last);
    const fold = this.folds[at];
    const start = this.starts[at];
    if (!fold || start === undefined) return -1;
    return this.isOpen(fold) ? start + 1 + (n - fold.first) : start;
  }
}
