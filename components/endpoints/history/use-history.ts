"use client";

import { useCallback, useEffect, useState } from "react";
import {
  type HistoryEntry,
  readHistory,
  type Storage,
  withEntry,
  writeHistory,
} from "./history-entry";

/** The requests that this browser sent to an endpoint, and what can be done with them. */
export interface RequestHistory {
  readonly entries: readonly HistoryEntry[];
  /** An entry by its id, as it is stored now; null: it is not. */
  find(id: string): HistoryEntry | null;
  add(entry: HistoryEntry): void;
  setPinned(id: string, pinned: boolean): void;
  remove(id: string): void;
  /** Forgets all that is not pinned. */
  clear(): void;
}

/** A browser that keeps nothing remembers as long as the page is open. */
function storageOf(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

/** Kept in the browser, and seen by nobody else. Another tab of the same endpoint is heard of. */
export function useHistory(endpoint: string): RequestHistory {
  const [entries, setEntries] = useState<readonly HistoryEntry[]>([]);
  useEffect(() => {
    const read = () => {
      const storage = storageOf();
      if (storage) setEntries(readHistory(storage, endpoint));
    };
    read();
    addEventListener("storage", read);
    return () => removeEventListener("storage", read);
  }, [endpoint]);
  const change = useCallback(
    (next: (entries: readonly HistoryEntry[]) => readonly HistoryEntry[]) => {
      const storage = storageOf();
      setEntries((shown) => {
        if (!storage) return next(shown);
        return writeHistory(storage, endpoint, next(readHistory(storage, endpoint)));
      });
    },
    [endpoint],
  );
  const add = useCallback(
    (entry: HistoryEntry) => change((before) => withEntry(before, entry)),
    [change],
  );
  return {
    entries,
    find: (id) => {
      const storage = storageOf();
      const all = storage ? readHistory(storage, endpoint) : entries;
      return all.find((each) => each.id === id) ?? null;
    },
    add,
    setPinned: (id, pinned) =>
      change((all) => all.map((each) => (each.id === id ? { ...each, pinned } : each))),
    remove: (id) => change((all) => all.filter((each) => each.id !== id)),
    clear: () => change((all) => all.filter(({ pinned }) => pinned)),
  };
}
