import { useCallback, useMemo, useState } from "react";

/** Rows that are marked, by their ids, in the order of marking. */
export interface Selection<Row> {
  readonly rows: ReadonlyMap<string, Row>;
  /** Marks rows, or marks them no more. */
  set(rows: readonly Row[], on: boolean): void;
  clear(): void;
}

/** Marks that stay while the list is paged; a row that comes again comes with its newest state. */
export function useSelection<Row>(
  idOf: (row: Row) => string,
  shown: readonly Row[],
): Selection<Row> {
  const [marked, setMarked] = useState<ReadonlyMap<string, Row>>(new Map());
  const rows = useMemo(() => {
    const newest = new Map(shown.map((row) => [idOf(row), row]));
    return new Map([...marked].map(([id, row]) => [id, newest.get(id) ?? row]));
  }, [marked, shown, idOf]);
  const set = useCallback(
    (some: readonly Row[], on: boolean) =>
      setMarked((before) => {
        const after = new Map(before);
        for (const row of some) {
          if (on) after.set(idOf(row), row);
          else after.delete(idOf(row));
        }
        return after;
      }),
    [idOf],
  );
  const clear = useCallback(() => setMarked(new Map()), []);
  return useMemo(() => ({ rows, set, clear }), [rows, set, clear]);
}
