import type { LogLine, StageName } from "@/lib/common/contract";

/** Lines of one stage in a row. A stage that runs again, at a lower clock, makes a fold of its own. */
export interface Fold {
  readonly stage: StageName;
  /** Numbers of its first and last line. */
  readonly first: number;
  readonly last: number;
  readonly warnings: number;
  readonly errors: number;
  readonly durationMs: number;
}

/** Folds of a log. Goes on from earlier folds of the same log, so that a growing log is read only once. */
export function foldsOf(lines: readonly LogLine[], earlier: readonly Fold[] = []): readonly Fold[] {
  const folds = [...earlier];
  for (let at = folds.at(-1)?.last ?? 0; at < lines.length; at += 1) {
    const line = lines[at];
    if (!line) break;
    const last = folds.at(-1);
    const warnings = line.level === "warning" ? 1 : 0;
    const errors = line.level === "error" ? 1 : 0;
    if (last?.stage === line.stage) {
      const start = lines[last.first - 1];
      folds[folds.length - 1] = {
        ...last,
        last: line.n,
        warnings: last.warnings + warnings,
        errors: last.errors + errors,
        durationMs: start ? Date.parse(line.time) - Date.parse(start.time) : 0,
      };
    } else {
      folds.push({
        stage: line.stage,
        first: line.n,
        last: line.n,
        warnings,
        errors,
        durationMs: 0,
      });
    }
  }
  return folds;
}

/** One row of the drawn log. */
export type Row =
  | { readonly kind: "fold"; readonly fold: Fold; readonly open: boolean }
  | { readonly kind: "line"; readonly n: number };

/** What is drawn: a header for each fold, and the lines of those that are open. Rows are made when asked for, so a million lines cost nothing. */
export class Rows {
  readonly count: number;
  private readonly starts: number[] = [];
  private readonly folds: readonly Fold[];
  private readonly isOpen: (fold: Fold) => boolean;

  constructor(folds: readonly Fold[], isOpen: (fold: Fold) => boolean) {
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

  /** Row of a line, or of its fold's header while that is closed; −1 if the line is not there. */
  indexOf(n: number): number {
    const at = this.folds.findIndex((fold) => n >= fold.first && n <= fold.last);
    const fold = this.folds[at];
    const start = this.starts[at];
    if (!fold || start === undefined) return -1;
    return this.isOpen(fold) ? start + 1 + (n - fold.first) : start;
  }
}
