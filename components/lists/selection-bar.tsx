import type { ReactNode } from "react";
import { ErrorNote } from "@/components/ui";
import type { BulkRun } from "./bulk";

/** Stays in sight while rows are marked: how many, what can be done to them, and how that went. */
export function SelectionBar({
  count,
  noun,
  run,
  onClear,
  children,
}: {
  readonly count: number;
  /** `build`, in the singular. */
  readonly noun: string;
  readonly run: BulkRun | null;
  readonly onClear: () => void;
  readonly children: ReactNode;
}) {
  if (count === 0 && run === null) return null;
  const [first] = run?.failures ?? [];
  return (
    <section
      aria-label={`Marked ${noun}s`}
      className="sticky bottom-4 z-2 mt-4 rounded-float border border-line bg-surface px-4 py-2 text-dense shadow-[var(--float-shadow)] max-tablet:bottom-20"
    >
      <div className="flex flex-wrap items-center gap-3">
        <span role="status">{inWords(count, noun, run)}</span>
        {children}
        <button type="button" className="btn btn-quiet btn-dense" onClick={onClear}>
          {count === 0 ? "Close" : "Unmark"}
        </button>
      </div>
      {first ? (
        <div className="mt-2">
          <ErrorNote
            title={`${run?.failures.length} refused, the first of them ${first.name}.`}
            error={first.error}
          />
        </div>
      ) : null}
    </section>
  );
}

function inWords(count: number, noun: string, run: BulkRun | null): string {
  if (run && run.done < run.total) return `${run.done} of ${run.total} done…`;
  if (run) return `${run.done - run.failures.length} of ${run.total} done.`;
  return `${count} ${noun}${count === 1 ? " is" : "s are"} marked.`;
}
