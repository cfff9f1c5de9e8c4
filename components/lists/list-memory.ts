import { useCallback, useSyncExternalStore } from "react";
import { z } from "zod";

const viewSchema = z.object({ name: z.string().min(1).max(60), query: z.string().max(2000) });
/** A filter under a name. */
export type SavedView = z.infer<typeof viewSchema>;

const memorySchema = z.object({
  /** Columns by id that differ from what they are at first: shown, or not. */
  columns: z.record(z.string(), z.boolean()).default({}),
  dense: z.boolean().default(false),
  views: z.array(viewSchema).max(50).default([]),
});
/** How somebody likes a list, kept in the browser. */
export type ListMemory = z.infer<typeof memorySchema>;

const nothing: ListMemory = { columns: {}, dense: false, views: [] };

interface Kept {
  readonly text: string | null;
  readonly memory: ListMemory;
}

const kept = new Map<string, Kept>();
const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

/** What is kept under a key; the same object as long as the text is the same. */
function readMemory(key: string): ListMemory {
  let text: string | null = null;
  try {
    text = localStorage.getItem(key);
  } catch {
    return kept.get(key)?.memory ?? nothing;
  }
  const before = kept.get(key);
  if (before?.text === text) return before.memory;
  const memory = text === null ? nothing : parseMemory(text);
  kept.set(key, { text, memory });
  return memory;
}

function parseMemory(text: string): ListMemory {
  try {
    return memorySchema.parse(JSON.parse(text));
  } catch {
    return nothing;
  }
}

function writeMemory(key: string, memory: ListMemory): void {
  const text = JSON.stringify(memory);
  try {
    localStorage.setItem(key, text);
    kept.set(key, { text, memory });
  } catch {
    // A browser without storage remembers until the page is left.
    kept.set(key, { text: null, memory });
  }
  for (const tell of listeners) tell();
}

/** How somebody likes the list `name`, and how to change it. What a server draws is the list as everybody sees it first. */
export function useListMemory(
  name: string,
): readonly [ListMemory, (change: Partial<ListMemory>) => void] {
  const key = `boardwalk.list.${name}`;
  const memory = useSyncExternalStore(
    subscribe,
    () => readMemory(key),
    () => nothing,
  );
  const change = useCallback(
    (part: Partial<ListMemory>) => writeMemory(key, { ...readMemory(key), ...part }),
    [key],
  );
  return [memory, change];
}
