import { useTranslations } from "next-intl";
import { Empty } from "@/components/ui";
import type { ActiveFilter } from "./filter-words";
import { type ChangeAddress, noFilter } from "./list-address";

/** In the place of rows that a filter left none of: which filters are on, and the way out. */
export function NothingMatches({
  what,
  active,
  onChange,
}: {
  /** `build`, in the singular. */
  readonly what: string;
  readonly active: readonly ActiveFilter[];
  readonly onChange: ChangeAddress;
}) {
  const t = useTranslations("lists");
  return (
    <Empty
      title={t("nothingMatches", {
        noun: what,
        filters: active.map(({ words }) => words).join(" · "),
      })}
      action={
        <button type="button" className="btn" onClick={() => onChange(noFilter)}>
          {t("clear")}
        </button>
      }
    >
      {t("takeAway")}
    </Empty>
  );
}
