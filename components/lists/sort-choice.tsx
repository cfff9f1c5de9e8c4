import { useTranslations } from "next-intl";
import { useId } from "react";
import type { ListColumn } from "./columns";

/** The order of a list where its rows are cards and have no heads to press. */
export function SortChoice<Row extends object>({
  columns,
  sort,
  onSort,
  isAlone = false,
}: {
  readonly columns: readonly ListColumn<Row>[];
  readonly sort: string;
  readonly onSort: (sort: string) => void;
  /** Whether no table has heads to press, however wide the screen is. */
  readonly isAlone?: boolean;
}) {
  const t = useTranslations("lists");
  const id = useId();
  return (
    <div
      className={`mb-2 flex items-center gap-2 text-dense ${isAlone ? "tablet:max-w-80" : "tablet:hidden"}`}
    >
      <label htmlFor={id} className="text-muted">
        {t("sortBy")}
      </label>
      <select
        id={id}
        className="field h-8 flex-1 text-dense"
        value={sort}
        onChange={({ target }) => onSort(target.value)}
      >
        {columns
          .filter(({ enableSorting }) => enableSorting !== false)
          .flatMap((column) => [
            <option key={column.id} value={column.id}>
              {t("ascending", { column: column.meta.label })}
            </option>,
            <option key={`-${column.id}`} value={`-${column.id}`}>
              {t("descending", { column: column.meta.label })}
            </option>,
          ])}
      </select>
    </div>
  );
}
