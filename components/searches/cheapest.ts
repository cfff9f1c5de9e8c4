import type { SearchResult } from "@/lib/common/contract";

/**
 * The place of the try to recommend: of those that agree enough, and fit if any does, the one with the fewest cells; of equal ones
 * the later, which has fewer bits. Null where none agrees enough.
 */
export function cheapestOf({ tries }: Pick<SearchResult, "tries">): number | null {
  const holding = tries.flatMap((each, at) => (each.holds ? [{ ...each, at }] : []));
  const fitting = holding.filter(({ fits }) => fits);
  const [first] = (fitting.length > 0 ? fitting : holding).toSorted(
    (a, b) => a.cells - b.cells || b.at - a.at,
  );
  return first?.at ?? null;
}
