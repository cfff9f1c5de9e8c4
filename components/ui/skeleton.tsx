import { useTranslations } from "next-intl";

/** Lines in the shape of what will come. They stay invisible for 150 ms, so that fast answers do not flash. */
export function Skeleton({ lines = 3, height = 20 }: { lines?: number; height?: number }) {
  const t = useTranslations("ui");
  return (
    <div role="status" aria-label={t("loading")} className="grid gap-3 py-2">
      {Array.from({ length: lines }, (_, line) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
          key={line}
          className="skeleton"
          style={{ height, width: `${92 - ((line * 17) % 40)}%` }}
        />
      ))}
    </div>
  );
}
