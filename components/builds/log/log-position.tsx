import { useTranslations } from "next-intl";
import { formatCount } from "@/components/ui";
import type { LogView } from "./use-log-view";

/** Where the view stands in a log that is longer than what scrolls at a time, and the way to any other place. */
export function LogPosition({
  view: { scroller, content, following },
}: {
  readonly view: LogView;
}) {
  const t = useTranslations("builds.log");
  if (!scroller.isPart) return null;
  const { count } = content.rows;
  const top = scroller.base + (scroller.virtual.range?.startIndex ?? 0);
  return (
    <label className="flex flex-wrap items-center gap-x-3 border-t border-line px-3 py-1 text-dense text-muted">
      {t("position", { row: formatCount(top + 1), count: formatCount(count) })}
      <input
        type="range"
        className="min-w-40 flex-1 accent-accent"
        min={0}
        max={count - 1}
        value={top}
        onChange={(event) => {
          following.stop();
          scroller.jumpToRow(Number(event.target.value));
        }}
      />
    </label>
  );
}
