import { useTranslations } from "next-intl";
import { formatCount } from "@/components/ui";
import { toAppError } from "@/lib/common/errors";
import type { Find } from "./use-find";

/** The field to find in, which match is shown, and the way to the others. */
export function FindBar({ find, onEscape }: { find: Find; onEscape: () => void }) {
  const t = useTranslations("builds.log");
  return (
    <search className="flex flex-none flex-wrap items-center gap-x-2 gap-y-1 border-b border-line px-3 py-1.5 text-dense">
      <FindField find={find} onEscape={onEscape} />
      <label className="flex items-center gap-1.5">
        <input
          type="checkbox"
          checked={find.isExact}
          onChange={(event) => find.setExact(event.target.checked)}
        />
        {t("exactCase")}
      </label>
      <label className="flex items-center gap-1.5">
        <input
          type="checkbox"
          checked={find.isPattern}
          onChange={(event) => find.setPattern(event.target.checked)}
        />
        {t("pattern")}
      </label>
      <button
        type="button"
        className="btn btn-quiet btn-dense"
        aria-label={t("previousMatch")}
        onClick={find.previous}
      >
        ↑
      </button>
      <button
        type="button"
        className="btn btn-quiet btn-dense"
        aria-label={t("nextMatch")}
        onClick={find.next}
      >
        ↓
      </button>
      <button type="button" className="btn btn-quiet btn-dense" onClick={find.close}>
        {t("close")}
      </button>
      <Matches find={find} />
    </search>
  );
}

function FindField({ find, onEscape }: { find: Find; onEscape: () => void }) {
  const t = useTranslations("builds.log");
  return (
    <input
      ref={find.field}
      className="field h-8 max-w-72 min-w-32 flex-1 text-dense"
      aria-label={t("findName")}
      placeholder={t("findHint")}
      value={find.text}
      maxLength={200}
      onChange={(event) => find.type(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter") {
          if (event.shiftKey) find.previous();
          else find.next();
        }
        if (event.key === "Escape") {
          find.close();
          onEscape();
        }
      }}
    />
  );
}

/** Why nothing was found: by the pattern's own fault, with what to do, or not. */
function FindFailure({ error }: { error: unknown }) {
  const t = useTranslations("builds.log");
  const { reason, message, hint } = toAppError(error);
  const isOfPattern = reason === "QUERY_INVALID" || reason === "DEADLINE_EXCEEDED";
  return (
    <span className="break-words text-bad">
      {isOfPattern ? `${message} ${hint ?? ""}` : t("findFailed")}
    </span>
  );
}

/** How many lines hold the text, in which stages, and which of them is shown. */
function Matches({ find }: { find: Find }) {
  const t = useTranslations("builds.log");
  const { found, at, isPending, error } = find;
  return (
    <span aria-live="polite" className="min-w-0 text-muted">
      {error ? <FindFailure error={error} /> : null}
      {isPending ? t("searching") : null}
      {found && !error
        ? [
            found.total === 0
              ? t("notFound")
              : at < 0
                ? t("found", { count: found.total, shown: formatCount(found.total) })
                : t("match", { at: formatCount(at + 1), shown: formatCount(found.total) }),
            found.total > found.numbers.length
              ? t("firstOnly", { shown: formatCount(found.numbers.length) })
              : null,
            found.stages.length > 1
              ? found.stages.map(({ stage, count }) => `${stage} ${formatCount(count)}`).join(" · ")
              : null,
          ]
            .filter((part) => part !== null)
            .join(" · ")
        : null}
    </span>
  );
}
