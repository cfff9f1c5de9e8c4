import { useTranslations } from "next-intl";
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
  const t = useTranslations("lists");
  const progress = useProgress(count, noun, run);
  if (count === 0 && run === null) return null;
  const [first] = run?.failures ?? [];
  return (
    <section
      aria-label={t("selection", { noun })}
      className="sticky bottom-4 z-2 mt-4 rounded-float border border-line bg-surface px-4 py-2 text-dense shadow-[var(--float-shadow)] max-tablet:bottom-20"
    >
      <div className="flex flex-wrap items-center gap-3">
        <span role="status">{progress}</span>
        {children}
        <button type="button" className="btn btn-quiet btn-dense" onClick={onClear}>
          {t(count === 0 ? "close" : "unselect")}
        </button>
      </div>
      {first ? (
        <div className="mt-2">
          <ErrorNote
            title={t("refused", { count: run?.failures.length ?? 0, name: first.name })}
            error={first.error}
          />
        </div>
      ) : null}
    </section>
  );
}

function useProgress(count: number, noun: string, run: BulkRun | null): string {
  const t = useTranslations("lists");
  if (run && run.done < run.total) return t("progress", { done: run.done, total: run.total });
  if (run) return t("done", { done: run.done - run.failures.length, total: run.total });
  return t("selected", { noun, count });
}
