import { storableText } from "@/lib/common/text";
import { Prisma } from "@/prisma/generated/client";

/** The escapes in JSON text that `jsonb` refuses: NUL, and what may be half of a surrogate pair. */
const refusedEscape = /\\u(?:0000|[dD][89a-fA-F])/;

/**
 * The same values with every text in them made storable: Postgres takes no NUL in `text`, and neither that nor half a
 * surrogate pair in `jsonb`. Text that is JSON already, as parameters of raw queries are, is read and written again.
 */
export function storable(value: unknown): unknown {
  if (typeof value === "string") return storableString(value);
  if (Array.isArray(value)) return mapIfChanged(value);
  if (typeof value === "object" && value !== null) return storableObject(value);
  return value;
}

function storableString(text: string): string {
  if (/^\s*[[{"]/.test(text) && refusedEscape.test(text)) {
    try {
      return JSON.stringify(storable(JSON.parse(text)));
    } catch {
      // No JSON: it means what it says.
    }
  }
  return storableText(text);
}

function mapIfChanged(list: readonly unknown[]): readonly unknown[] {
  const mapped = list.map(storable);
  return mapped.some((item, index) => item !== list[index]) ? mapped : list;
}

function storableObject(value: object): unknown {
  if (value instanceof Prisma.Sql) return new Prisma.Sql(value.strings, mapIfChanged(value.values));
  // Dates, bytes and the like are left as they are.
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  const entries = Object.entries(value);
  const changed = entries.map(([key, item]) => [storableText(key), storable(item)] as const);
  const same = changed.every(([key, item], i) => key === entries[i]?.[0] && item === entries[i][1]);
  return same ? value : Object.fromEntries(changed);
}
