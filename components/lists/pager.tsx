"use client";

import { useTranslations } from "next-intl";
import { formatCount } from "@/components/ui";
import { type ChangeAddress, type ListAddress, rowsPerPage } from "./list-address";

/** Which rows of how many are shown, and the ways to the others. */
export function Pager({
  address,
  shown,
  total,
  nextCursor,
  previousCursor,
  isLoading,
  onChange,
}: {
  readonly address: ListAddress;
  /** Rows on this page. */
  readonly shown: number;
  /** All that match; unknown while they are counted. */
  readonly total: number | undefined;
  readonly nextCursor: string | null;
  readonly previousCursor: string | null;
  /** Whether the page before is shown until the asked one comes: its cursors lead to that one, and no further. */
  readonly isLoading: boolean;
  readonly onChange: ChangeAddress;
}) {
  const t = useTranslations("lists");
  const { page, cursor } = address;
  const first = (page - 1) * rowsPerPage + 1;
  const go = (to: Parameters<ChangeAddress>[0]) => {
    if (!isLoading) onChange(to);
  };
  const range = { first: formatCount(first), last: formatCount(first + shown - 1) };
  return (
    <nav aria-label={t("pages")} className="mt-4 flex flex-wrap items-center gap-2 text-dense">
      <span className="mr-2 text-muted" role="status">
        {total === undefined
          ? t("shown", range)
          : t("shownOf", { ...range, total: formatCount(total) })}
      </span>
      {page > 1 || cursor !== "" ? (
        <button type="button" className="btn btn-dense" onClick={() => onChange({ page: 1 })}>
          {t("first")}
        </button>
      ) : null}
      {previousCursor === null ? null : (
        <button
          type="button"
          className="btn btn-dense"
          aria-disabled={isLoading}
          onClick={() => go(page <= 2 ? { page: 1 } : { page: page - 1, cursor: previousCursor })}
        >
          {t("previous")}
        </button>
      )}
      {nextCursor === null ? null : (
        <button
          type="button"
          className="btn btn-dense"
          aria-disabled={isLoading}
          onClick={() => go({ page: page + 1, cursor: nextCursor })}
        >
          {t("next")}
        </button>
      )}
    </nav>
  );
}
