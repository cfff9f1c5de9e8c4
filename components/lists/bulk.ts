import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

/** How an action on many rows goes, or went. */
export interface BulkRun {
  readonly total: number;
  readonly done: number;
  /** What was refused, and why. */
  readonly failures: readonly { readonly name: string; readonly error: unknown }[];
}

/** Calls that are under way together. */
const atOnce = 4;

/** Does the same to each of many rows; one that is refused stops no other, and is told. */
export function useBulk<Row>({
  queryKey,
  nameOf,
}: {
  readonly queryKey: readonly string[];
  readonly nameOf: (row: Row) => string;
}) {
  const client = useQueryClient();
  const [run, setRun] = useState<BulkRun | null>(null);
  const start = async (rows: readonly Row[], act: (row: Row) => Promise<unknown>) => {
    setRun({ total: rows.length, done: 0, failures: [] });
    const waiting = [...rows];
    const one = async () => {
      for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
        const name = nameOf(row);
        const failures = await act(row).then(
          () => [],
          (error: unknown) => [{ name, error }],
        );
        setRun(
          (before) =>
            before && {
              ...before,
              done: before.done + 1,
              failures: [...before.failures, ...failures],
            },
        );
      }
    };
    await Promise.all(Array.from({ length: atOnce }, one));
    await client.invalidateQueries({ queryKey: [...queryKey] });
  };
  return { run, start, forget: () => setRun(null) };
}
