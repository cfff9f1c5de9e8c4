import { useMutation } from "@tanstack/react-query";
import { useState } from "react";

/** A field whose value the server keeps. */
export interface Chosen<T> {
  /** What is chosen: until the server says so too, what was pressed last. */
  readonly value: T;
  /** It is on its way to the server. */
  readonly isChanging: boolean;
  /** Why the last change failed; null: it did not. */
  readonly error: Error | null;
  choose(to: T): void;
}

/**
 * Shows a choice from the press on. The state of a mutation comes a moment after it, too late for a controlled field: that would
 * show the old value in between.
 *
 * @param said What the server says.
 * @param change Tells the server.
 * @param reload Reads again what the server says; the choice is shown until it has.
 */
export function useChosen<T>(
  said: T,
  change: (to: T) => Promise<unknown>,
  reload: () => Promise<unknown>,
): Chosen<T> {
  const [chosen, setChosen] = useState<{ readonly to: T } | null>(null);
  const { mutate, error } = useMutation({
    mutationFn: change,
    onSettled: async () => {
      await reload();
      setChosen(null);
    },
  });
  return {
    value: chosen ? chosen.to : said,
    isChanging: chosen !== null,
    error,
    choose(to) {
      setChosen({ to });
      mutate(to);
    },
  };
}
