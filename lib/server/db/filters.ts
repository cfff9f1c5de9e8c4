import type { Scope } from "@/lib/common/contract";
import { database } from "./client";
import { type Sql, sql } from "./sql";

const escaped = (text: string) => text.replaceAll(/[\\%_]/g, "\\$&");

/** Pattern of `LIKE` for texts that hold another one, each of its characters meant as it stands. */
export const likePattern = (text: string): string => `%${escaped(text)}%`;

/** Pattern of `LIKE` for names that begin so: they have no capitals. */
export const prefixPattern = (text: string): string => `${escaped(text.toLowerCase())}%`;

/** Whether an index of trigrams can find a text; shorter ones are looked for at the beginning of names. */
export const hasTrigram = (text: string): boolean => text.length >= 3;

/** That a column is one of several values; of none, that it is anything. */
export function isAnyOf(column: Sql, values: readonly string[] | undefined): Sql {
  if (!values || values.length === 0) return sql`TRUE`;
  if (values.length === 1) return sql`${column} = ${values[0]}`;
  return sql`${column} = ANY(${[...values]}::text[])`;
}

/** That a time lies after a moment, or no longer ago than an age such as `24h` or `7d`, by the database's clock. */
export function createdSince(column: Sql, since: string | undefined): Sql {
  if (since === undefined) return sql`TRUE`;
  const [, count, unit] = since.match(/^(\d+)([hd])$/) ?? [];
  if (count === undefined) return sql`${column} >= ${since}::timestamptz`;
  const hours = Number(count) * (unit === "d" ? 24 : 1);
  return sql`${column} >= now() - make_interval(hours => ${hours}::int)`;
}

const tables = { build: sql`build`, revision: sql`revision` } as const;
const columns = { engine: sql`engine`, board_model: sql`board_model` } as const;

/** Values that a column has in a project, in order: one step of its index for each, however many rows there are. */
export async function distinctValues(
  table: keyof typeof tables,
  column: keyof typeof columns,
  scope: Scope,
): Promise<string[]> {
  const name = columns[column];
  const rows = sql`${tables[table]} WHERE project_id = ${scope}::uuid`;
  const found = await database().$queryRaw<{ value: string }[]>`
    WITH RECURSIVE step AS (
      (SELECT ${name} AS value FROM ${rows} ORDER BY ${name} LIMIT 1)
      UNION ALL
      SELECT (SELECT ${name} FROM ${rows} AND ${name} > step.value ORDER BY ${name} LIMIT 1)
      FROM step WHERE step.value IS NOT NULL
    ) SELECT value FROM step WHERE value IS NOT NULL`;
  return found.map(({ value }) => value);
}
