/** Whether a value is an object with fields of its own: no array, not null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a table has an entry of that name. What every object inherits, such as `toString`, is none. */
export function hasKey<Table extends object>(
  table: Table,
  key: PropertyKey,
): key is Extract<keyof Table, string> {
  return Object.hasOwn(table, key);
}

/** The names of a table's entries, in its order. */
export function keysOf<Table extends object>(table: Table): Extract<keyof Table, string>[] {
  return Object.keys(table).filter((key) => hasKey(table, key));
}

/** A table with one entry for each name, in their order. The names are to be all that the type has. */
export function recordOf<Key extends string, Value>(
  keys: readonly Key[],
  valueFor: (key: Key) => Value,
): Record<Key, Value> {
  return Object.fromEntries(keys.map((key) => [key, valueFor(key)])) as Record<Key, Value>;
}
