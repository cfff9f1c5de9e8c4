import Link from "next/link";
import { useTranslations } from "next-intl";

const chip =
  "inline-flex h-6 max-w-48 items-center rounded-full bg-sunken px-3 text-dense text-muted";

interface LabelChipsProps {
  readonly labels: readonly string[];
  /** Whether each leads to the builds that have it. */
  readonly isLinked?: boolean;
}

/** Labels as people wrote them, each on its own, whatever direction its letters run in; nothing where there is none. */
export function LabelChips({ labels, isLinked = false }: LabelChipsProps) {
  const t = useTranslations("builds.labels");
  if (labels.length === 0) return null;
  return (
    <ul aria-label={t("title")} className="flex min-w-0 flex-wrap gap-1">
      {labels.map((label) => {
        const text = (
          <bdi className="truncate" title={label}>
            {label}
          </bdi>
        );
        return (
          <li key={label} className="max-w-full min-w-0">
            {isLinked ? (
              <Link className={chip} href={`/builds?${new URLSearchParams({ label })}`}>
                {text}
              </Link>
            ) : (
              <span className={chip}>{text}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
}
