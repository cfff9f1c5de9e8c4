import { type AppError, fail } from "@/lib/common/errors";

/** Which page is asked for, as the API's query says it. */
export interface PageQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
}
/** A page of a list; null on the last one, and on the first, instead of a cursor. */
export interface Page<T> {
  items: T[];
  nextCursor: string | null;
  /** Left out by lists that are read forward only. */
  previousCursor?: string | null;
}

const textPattern = /^[a-z0-9:-]{1,80}$/;

/**
 * Where a list goes on, and how many rows to ask for: one more than are shown, so that `toPage` knows whether more follow.
 *
 * @throws {AppError} `CURSOR_INVALID`
 */
export function parsePage({ limit, cursor }: PageQuery): { after: string | null; take: number } {
  const take = Math.min(200, Math.max(1, Math.trunc(limit) || 1)) + 1;
  if (cursor === undefined) return { after: null, take };
  const after = Buffer.from(cursor, "base64url").toString();
  if (!textPattern.test(after) || makeCursor(after) !== cursor) throw foreignCursor();
  return { after, take };
}

/** What is said of a cursor that no list has given. */
export const foreignCursor = (): AppError =>
  fail("CURSOR_INVALID", "This cursor is none of ours.", {
    field: "cursor",
    hint: "Take `nextCursor` of the page before as it stands, or begin without a cursor.",
  });

/** The page of the rows that were found with `take`; `keyOf` is what the list is ordered by. */
export function toPage<Row, T>(
  rows: readonly Row[],
  take: number,
  { keyOf, show }: { readonly keyOf: (row: Row) => string; readonly show: (row: Row) => T },
): Page<T> {
  const shown = rows.slice(0, take - 1);
  const last = shown.at(-1);
  return {
    items: shown.map(show),
    nextCursor: rows.length >= take && last !== undefined ? makeCursor(keyOf(last)) : null,
  };
}

function makeCursor(key: string): string {
  return Buffer.from(key).toString("base64url");
}
