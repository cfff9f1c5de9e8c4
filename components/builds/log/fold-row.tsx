import { formatCount, formatDuration, toneClass } from "@/components/ui";
import type { Fold } from "./folds";

interface FoldRowProps {
  readonly fold: Fold;
  readonly open: boolean;
  readonly onToggle: () => void;
}

/** The header of a stage's lines: how many, how long they took, what is wrong among them. */
export function FoldRow({ fold, open, onToggle }: FoldRowProps) {
  const count = fold.last - fold.first + 1;
  return (
    <button
      type="button"
      aria-expanded={open}
      onClick={onToggle}
      className="grid w-full grid-cols-[64px_auto] justify-start text-left hover:bg-[color-mix(in_srgb,var(--text)_5%,transparent)]"
    >
      <span className="pr-3.5 text-right text-muted">{fold.first}</span>
      <span className={`whitespace-nowrap ${open ? "" : "text-muted"}`}>
        <span aria-hidden="true">{open ? "▾" : "▸"}</span> {fold.stage}
        <span className="text-muted">
          {" "}
          — {formatCount(count)} {count === 1 ? "line" : "lines"}
          {fold.durationMs > 0 ? `, ${formatDuration(fold.durationMs)}` : null}
        </span>
        {fold.warnings > 0 ? (
          <span className={toneClass.warn}>
            , {fold.warnings} {fold.warnings === 1 ? "warning" : "warnings"}
          </span>
        ) : null}
        {fold.errors > 0 ? (
          <span className={toneClass.bad}>
            , {fold.errors} {fold.errors === 1 ? "error" : "errors"}
          </span>
        ) : null}
      </span>
    </button>
  );
}
