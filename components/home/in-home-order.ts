import type { BoardKind, Endpoint } from "@/lib/common/contract";

/** Hardware first: what runs on a board, then what runs on the design of one, then what runs on a CPU. */
const places: Readonly<Record<BoardKind, number>> = { physical: 0, simulated: 1, cpu: 2 };

/** Endpoints as Home shows them: hardware first, and among alike those that are in trouble first. */
export function inHomeOrder(endpoints: readonly Endpoint[]): Endpoint[] {
  const trouble = ({ state }: Endpoint) => (state === "failed" || state === "degraded" ? 0 : 1);
  return endpoints.toSorted(
    (a, b) => places[a.boardKind] - places[b.boardKind] || trouble(a) - trouble(b),
  );
}
