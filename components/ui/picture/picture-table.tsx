import { useTranslations } from "next-intl";
import { formatCount } from "../format";
import { type PictureColumn, shownIn } from "./columns";

/** So many points a table shows; a file has them all. */
const mostRows = 500;

/** The points of a picture as a table that scrolls in itself. */
export function PictureTable<Row>({
  id,
  title,
  columns,
  rows,
}: {
  id: string;
  title: string;
  columns: readonly PictureColumn<Row>[];
  rows: readonly Row[];
}) {
  const t = useTranslations("ui.picture");
  const isNumber = ({ value }: PictureColumn<Row>) =>
    rows.length > 0 && rows.every((row) => typeof (value(row) ?? 0) === "number");
  const shown = columns.map((column) => ({ ...column, side: isNumber(column) ? "num" : "" }));
  return (
    <section
      id={id}
      aria-label={t("tableOf", { title })}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it
      tabIndex={0}
      className="mt-2 max-h-96 overflow-auto"
    >
      <table className="table text-dense">
        <caption className="sr-only">{title}</caption>
        <thead>
          <tr>
            {shown.map((column) => (
              <th key={column.id} scope="col" className={column.side}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, mostRows).map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a point is its place
            <tr key={index}>
              {shown.map((column) => (
                <td key={column.id} className={column.side}>
                  {shownIn(column, row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > mostRows ? (
        <p className="py-2 text-dense text-muted">
          {t("more", { count: rows.length - mostRows, shown: formatCount(rows.length - mostRows) })}
        </p>
      ) : null}
    </section>
  );
}
