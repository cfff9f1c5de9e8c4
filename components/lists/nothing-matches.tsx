import { Empty } from "@/components/ui";
import type { ActiveFilter } from "./filter-words";
import { type ChangeAddress, noFilter } from "./list-address";

/** In the place of rows that a filter left none of: which filters are on, and the way out. */
export function NothingMatches({
  what,
  active,
  onChange,
}: {
  /** `build`, in the singular. */
  readonly what: string;
  readonly active: readonly ActiveFilter[];
  readonly onChange: ChangeAddress;
}) {
  return (
    <Empty
      title={`No ${what} matches: ${active.map(({ words }) => words).join(" · ")}.`}
      action={
        <button type="button" className="btn" onClick={() => onChange(noFilter)}>
          Clear filters
        </button>
      }
    >
      Take one filter away, or all of them.
    </Empty>
  );
}
