import { z } from "zod";
import { predictProtocolSchema } from "@/lib/common/contract";

/** Requests that are remembered for each endpoint; pinned ones come on top and stay. */
export const historyLimit = 50;
/** Longer texts are remembered as having been sent, and not kept: a browser holds some megabytes for a page. */
export const keptCharacters = 60_000;

const entrySchema = z.object({
  id: z.string(),
  /** Milliseconds since 1970. */
  at: z.number(),
  revision: z.number().nullable(),
  protocol: predictProtocolSchema,
  /** Null: it was too long to be kept. */
  text: z.string().nullable(),
  labels: z.array(z.number().nullable()).nullable(),
  status: z.number(),
  /** What was answered, in a few words. */
  words: z.string(),
  totalNs: z.number().nullable(),
  pinned: z.boolean(),
});
/** A request that was sent from this browser. */
export type HistoryEntry = z.infer<typeof entrySchema>;

/** Where entries are kept: the browser's storage, or nothing that lasts. */
export type Storage = Pick<globalThis.Storage, "getItem" | "setItem" | "removeItem">;

const keyOf = (endpoint: string) => `boardwalk.requests.${endpoint}`;

/** What is remembered of an endpoint, the newest first; nothing where the storage holds something else. */
export function readHistory(storage: Storage, endpoint: string): HistoryEntry[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(keyOf(endpoint)) ?? "[]");
    return z.array(entrySchema).parse(stored);
  } catch {
    return [];
  }
}

/** With one more; the oldest that is not pinned goes where there are too many. */
export function withEntry(entries: readonly HistoryEntry[], entry: HistoryEntry): HistoryEntry[] {
  const text = (entry.text?.length ?? 0) > keptCharacters ? null : entry.text;
  const all = [{ ...entry, text }, ...entries.filter(({ id }) => id !== entry.id)];
  let loose = historyLimit;
  return all.filter(({ pinned }) => pinned || loose-- > 0);
}

/** Writes entries; where the storage is full, without the oldest that are not pinned. Answers what is stored. */
export function writeHistory(
  storage: Storage,
  endpoint: string,
  entries: readonly HistoryEntry[],
): HistoryEntry[] {
  let kept = [...entries];
  for (;;) {
    try {
      if (kept.length === 0) storage.removeItem(keyOf(endpoint));
      else storage.setItem(keyOf(endpoint), JSON.stringify(kept));
      return kept;
    } catch {
      const oldest = kept.findLastIndex(({ pinned }) => !pinned);
      if (oldest < 0) return kept;
      kept = kept.toSpliced(oldest, 1);
    }
  }
}
