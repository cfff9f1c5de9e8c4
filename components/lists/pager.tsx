"use client";

import { useTranslations } from "next-intl";
import { useRef } from "react";
import { formatCount } from "@/components/ui";
import { type ChangeAddress, type ListAddress, rowsPerPage } from "./list-address";

/** Which rows of how many are shown, and the ways to the others. */
export function Pager({
  address,
  shown,
  total,
  nextCursor,
  onChange,
}: {
  readonly address: ListAddress;
  /** Rows on this page. */
  readonly shown: number;
  /** All that match; unknown while they are counted. */
  readonly total: number | undefined;
  readonly nextCursor: string | null;
  readonly onChange: ChangeAddress;
}) {
  const t = useTranslations("lists");
  const { page, cursor } = address;
  const before = useTrail(page, cursor);
  const first = (page - 1) * rowsPerPage + 1;
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
      {before === undefined ? null : (
        <button
          type="button"
          className="btn btn-dense"
          onClick={() => onChange({ page: page - 1, cursor: before === "" ? null : before })}
        >
          {t("previous")}
        </button>
      )}
      {nextCursor === null ? null : (
        <button
          type="button"
          className="btn btn-dense"
          onClick={() => onChange({ page: page + 1, cursor: nextCursor })}
        >
          {t("next")}
        </button>
      )}
    </nav>
  );
}

/** Where the page before began, as far as this visit came through it: a cursor leads forward only. */
function useTrail(page: number, cursor: string): string | undefined {
  const trail = useRef(new Map<number, string>());
  if (page === 1) trail.current = new Map();
  trail.current.set(page, cursor);
  return page === 2 ? "" : trail.current.get(page - 1);
}
