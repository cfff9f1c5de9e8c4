import { fail } from "@/lib/common/errors";
import { foreignCursor, type Page, type PageQuery } from "./cursor";
import { type Sql, sql } from "./sql";

/** Types that a list may be ordered by: how a cursor's text becomes one, and which texts are one. */
const keyTypes = {
  text: { cast: (text: string) => sql`${text}::text`, pattern: /^[^\0]{0,300}$/ },
  bigint: { cast: (text: string) => sql`${text}::bigint`, pattern: /^-?\d{1,18}$/ },
} as const;

/** What a list is ordered by: a key, and its rows' ids where keys are equal, both the same way. */
export interface Order {
  /** What a cursor of this order says, so that it serves no other. */
  readonly name: string;
  readonly descending: boolean;
  /** Whether the rows are read from the end of a page to its beginning. */
  readonly turned?: boolean;
  /** UUIDv7, so by itself it orders by the time of making. */
  readonly id: Sql;
  readonly key?: { readonly value: Sql; readonly type: keyof typeof keyTypes };
}

/**
 * The order that a sort asks for: `-name` falls, `name` rises.
 *
 * @param keys What the list can be sorted by; of what the id orders by itself, undefined.
 */
export function orderOf<Name extends string>(
  sort: Name | `-${Name}`,
  { id, keys }: { readonly id: Sql; readonly keys: Readonly<Record<Name, Order["key"]>> },
): Order {
  const key = keys[sort.replace("-", "") as Name];
  return { name: sort, descending: sort.startsWith("-"), id, ...(key ? { key } : {}) };
}

/** The order in which a page is read: the list's own, or turned round where the cursor leads back to the rows before. */
function toward(order: Order, cursor: string | undefined): Order {
  const isBack = cursor !== undefined && parseParts(cursor)[3] === back;
  return isBack ? { ...order, descending: !order.descending, turned: true } : order;
}

const back = "back";

/** Where a page ends: the last row's id and key. */
export interface KeysetRow {
  readonly id: string;
  readonly key: string | null;
}

interface Position {
  readonly id: string;
  readonly key: string;
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The key of an order as text, for `KeysetRow`. */
export const keyText = ({ key }: Order): Sql => (key ? sql`(${key.value})::text` : sql`NULL`);

/** `ORDER BY` of a list, without the words. */
export function orderBy({ key, id, descending }: Order): Sql {
  const way = descending ? sql`DESC` : sql`ASC`;
  return key ? sql`${key.value} ${way}, ${id} ${way}` : sql`${id} ${way}`;
}

/** The condition that rows lie behind a cursor, or none for the first page. @throws {AppError} `CURSOR_INVALID` */
export function behind(order: Order, cursor: string | undefined): Sql {
  if (cursor === undefined) return sql`TRUE`;
  const { id, key } = readCursor(order, cursor);
  const than = order.descending ? sql`<` : sql`>`;
  if (!order.key) return sql`${order.id} ${than} ${id}::uuid`;
  const { cast } = keyTypes[order.key.type];
  return sql`(${order.key.value}, ${order.id}) ${than} (${cast(key)}, ${id}::uuid)`;
}

/** What a page is read with: an order for `behind` and `orderBy`, where it begins, and how many rows at most. */
export interface PagePlace {
  readonly order: Order;
  readonly cursor: string | undefined;
  readonly take: number;
}

/** The page of a list that is asked for, as the ids of its rows: what is wide is read of these alone. As `readKeysetRows`. */
export async function readKeysetPage(
  order: Order,
  query: PageQuery,
  read: (place: PagePlace) => Promise<readonly KeysetRow[]>,
): Promise<Page<string>> {
  const { items, ...cursors } = await readKeysetRows(order, query, read);
  return { items: items.map(({ id }) => id), ...cursors };
}

/**
 * The page of a list that is asked for: 1 to 200 rows, onwards or back.
 *
 * @param read Rows at a place, in its order.
 * @throws {AppError} `CURSOR_INVALID`, by `behind`.
 */
export async function readKeysetRows<Row extends KeysetRow>(
  listOrder: Order,
  { limit, cursor }: PageQuery,
  read: (place: PagePlace) => Promise<readonly Row[]>,
): Promise<Page<Row>> {
  const size = Math.min(200, Math.max(1, Math.trunc(limit) || 1));
  const order = toward(listOrder, cursor);
  const isBack = order.turned === true;
  // One row more than are shown tells whether others follow the way they are read.
  const rows = await read({ order, cursor, take: size + 1 });
  const hasMore = rows.length > size;
  const shown = isBack ? rows.slice(0, size).toReversed() : rows.slice(0, size);
  const [first, last] = [shown.at(0), shown.at(-1)];
  const hasNext = isBack || hasMore;
  const hasPrevious = isBack ? hasMore : cursor !== undefined;
  return {
    items: shown,
    nextCursor: hasNext && last ? writeCursor(order, last) : null,
    previousCursor: hasPrevious && first ? writeCursor(order, first, back) : null,
  };
}

/** The cursor behind a row, or back to those before it. */
function writeCursor(
  order: Order,
  { id, key }: KeysetRow,
  ...way: readonly (typeof back)[]
): string {
  return Buffer.from(JSON.stringify([order.name, id, key ?? "", ...way])).toString("base64url");
}

/** Rows that an export reads at once. */
const stepRows = 1000;

/** All rows of a list in its order, a step at a time; `read` gets those behind a cursor, `take` of them at most. */
export async function* readInSteps<Row extends KeysetRow>(
  order: Order,
  read: (cursor: string | undefined, take: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let cursor: string | undefined;
  for (;;) {
    const rows = await read(cursor, stepRows);
    yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < stepRows) return;
    cursor = writeCursor(order, last);
  }
}

function readCursor(order: Order, cursor: string): Position {
  const [name, id, key] = parseParts(cursor);
  const pattern = order.key ? keyTypes[order.key.type].pattern : /^$/;
  if (name === undefined || !uuidPattern.test(id ?? "") || !pattern.test(key ?? ""))
    throw foreignCursor();
  if (name !== order.name)
    throw fail("CURSOR_INVALID", `This cursor belongs to a list sorted by ${name}.`, {
      field: "cursor",
      hint: "Ask with the same `sort` as the page before, or begin without a cursor.",
    });
  return { id: id ?? "", key: key ?? "" };
}

function parseParts(cursor: string): readonly (string | undefined)[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    const isOurs =
      Array.isArray(parts) &&
      (parts.length === 3 || (parts.length === 4 && parts[3] === back)) &&
      parts.every((part): part is string => typeof part === "string") &&
      Buffer.from(JSON.stringify(parts)).toString("base64url") === cursor;
    return isOurs ? parts : [];
  } catch {
    return [];
  }
}
