import { useTranslations } from "next-intl";
import { listViews } from "./list-address";

/** Cards or a table, on screens that have room for a table. */
export function ViewSwitch({
  view,
  onView,
}: {
  readonly view: (typeof listViews)[number];
  readonly onView: (view: (typeof listViews)[number]) => void;
}) {
  const t = useTranslations("lists");
  return (
    <fieldset className="flex gap-1 max-tablet:hidden">
      <legend className="sr-only">{t("layout")}</legend>
      {listViews.map((each) => (
        <button
          key={each}
          type="button"
          className="btn btn-quiet btn-dense aria-pressed:bg-wash"
          aria-pressed={view === each}
          onClick={() => onView(each)}
        >
          {t(each)}
        </button>
      ))}
    </fieldset>
  );
}
