"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";

/** The ways from a page of a list whose address holds nothing of it but a cursor. */
export function CursorPages({
  cursor,
  page: { nextCursor, previousCursor },
  words,
  onGo,
  children,
}: {
  /** Empty on the first page. */
  readonly cursor: string;
  readonly page: {
    readonly nextCursor: string | null;
    readonly previousCursor?: string | null | undefined;
  };
  /** What the ways are called, where rows are not merely first, previous and next. */
  readonly words?: { readonly first: string; readonly previous: string; readonly next: string };
  /** @param cursor Null: to the first page. */
  readonly onGo: (cursor: string | null) => void;
  readonly children?: ReactNode;
}) {
  const t = useTranslations("lists");
  if (cursor === "" && nextCursor === null && children === undefined) return null;
  const way = (text: string, to: string | null) => (
    <button type="button" className="btn btn-dense" onClick={() => onGo(to)}>
      {text}
    </button>
  );
  return (
    <nav aria-label={t("pages")} className="mt-4 flex flex-wrap items-center gap-2">
      {cursor === "" ? null : way(words?.first ?? t("first"), null)}
      {previousCursor ? way(words?.previous ?? t("previous"), previousCursor) : null}
      {nextCursor === null ? null : way(words?.next ?? t("next"), nextCursor)}
      {children}
    </nav>
  );
}
