import { useTranslations } from "next-intl";
import type { KeyboardEvent, ReactNode } from "react";
import type { Selection } from "./selection";
import { walk } from "./walk";

/** Rows as cards in columns, each with the box that marks it. Arrows go from card to card, Enter opens one, Space marks it. */
export function ListCards<Item extends object>({
  caption,
  rows,
  idOf,
  nameOf,
  card,
  selection,
}: {
  /** What the cards are a list of, for those who do not see it. */
  readonly caption: string;
  readonly rows: readonly Item[];
  readonly idOf: (row: Item) => string;
  readonly nameOf: (row: Item) => string;
  readonly card: (row: Item) => ReactNode;
  readonly selection: Selection<Item>;
}) {
  const t = useTranslations("lists");
  return (
    <ul
      aria-label={caption}
      className="grid border-t border-line desk:grid-cols-2 desk:gap-x-10"
      onKeyDown={(event: KeyboardEvent<HTMLElement>) => walk(event)}
    >
      {rows.map((row) => {
        const isMarked = selection.rows.has(idOf(row));
        return (
          <li
            key={idOf(row)}
            data-row
            className={`relative border-b border-line py-5 pl-9 ${isMarked ? "bg-wash" : ""}`}
          >
            <label className="list-box absolute top-4 left-0">
              <span className="sr-only">{t("select", { name: nameOf(row) })}</span>
              <input
                type="checkbox"
                className="size-4 accent-accent"
                checked={isMarked}
                onChange={(event) => selection.set([row], event.target.checked)}
              />
            </label>
            {card(row)}
          </li>
        );
      })}
    </ul>
  );
}
