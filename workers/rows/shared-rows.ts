import type { Rows } from "@/lib/common/rows";

/** How many rows are equal, value for value, to one of the others. */
export function countSharedRows(rows: Rows, others: Rows): number {
  if (rows.width !== others.width) return 0;
  const seen = new Set(keysOf(others));
  return keysOf(rows).filter((key) => seen.has(key)).length;
}

function keysOf({ count, width, values }: Rows): string[] {
  return Array.from({ length: count }, (_, row) =>
    values.subarray(row * width, (row + 1) * width).join(),
  );
}
