import { useTranslations } from "next-intl";
import { formatCount, formatDuration, toneClass } from "@/components/ui";
import type { LogFold } from "@/lib/common/contract";

interface FoldRowProps {
  readonly fold: LogFold;
  readonly open: boolean;
  readonly onToggle: () => void;
}

/** The header of a stage's lines: how many, how long they took, what is wrong among them. */
export function FoldRow({ fold, open, onToggle }: FoldRowProps) {
  const t = useTranslations("builds.log");
  const count = fold.last - fold.first + 1;
  const durationMs = Date.parse(fold.lastTime) - Date.parse(fold.firstTime);
  return (
    <button
      type="button"
      aria-expanded={open}
      onClick={onToggle}
      className="grid w-full grid-cols-[5.6em_auto] justify-start text-left hover:bg-[color-mix(in_srgb,var(--text)_5%,transparent)]"
    >
      <span className="pr-3.5 text-right text-muted">{fold.first}</span>
      <span className={`whitespace-nowrap ${open ? "" : "text-muted"}`}>
        <span aria-hidden="true">{open ? "▾" : "▸"}</span> {fold.stage}
        <span className="text-muted">
          {" "}
          — {t("lines", { count, shown: formatCount(count) })}
          {durationMs > 0 ? `, ${formatDuration(durationMs)}` : null}
        </span>
        {fold.warnings > 0 ? (
          <span className={toneClass.warn}>, {t("warnings", { count: fold.warnings })}</span>
        ) : null}
        {fold.errors > 0 ? (
          <span className={toneClass.bad}>, {t("errors", { count: fold.errors })}</span>
        ) : null}
      </span>
    </button>
  );
}
