import { describe, expect, it } from "vitest";
import {
  type HistoryEntry,
  historyLimit,
  keptCharacters,
  readHistory,
  withEntry,
  writeHistory,
} from "./history-entry";

const entry = (id: number, more: Partial<HistoryEntry> = {}): HistoryEntry => ({
  id: String(id),
  at: id,
  revision: null,
  protocol: "json",
  text: `{"n":${id}}`,
  labels: null,
  status: 200,
  words: "",
  totalNs: 1,
  pinned: false,
  ...more,
});

function storageOf(limit = Number.POSITIVE_INFINITY) {
  const values = new Map<string, string>();
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (value.length > limit) throw new DOMException("full", "QuotaExceededError");
      values.set(key, value);
    },
    removeItem: (key: string) => void values.delete(key),
  };
}

describe("the history of requests", () => {
  it("keeps the last fifty, and what is pinned besides", () => {
    let entries: HistoryEntry[] = [];
    for (let id = 0; id < 80; id++) entries = withEntry(entries, entry(id, { pinned: id < 2 }));
    expect(entries).toHaveLength(historyLimit + 2);
    expect(entries[0]?.id).toBe("79");
    expect(entries.slice(-2).map(({ id }) => id)).toEqual(["1", "0"]);
    expect(withEntry(entries, entry(79, { words: "again" }))).toHaveLength(historyLimit + 2);
  });

  it("reads back what it wrote, for each endpoint by itself", () => {
    const storage = storageOf();
    writeHistory(storage, "a", [entry(1)]);
    expect(readHistory(storage, "a")).toEqual([entry(1)]);
    expect(readHistory(storage, "b")).toEqual([]);
    writeHistory(storage, "a", []);
    expect(storage.getItem("boardwalk.requests.a")).toBeNull();
  });

  it("does not keep a text that is too long", () => {
    const [kept] = withEntry([], entry(1, { text: "x".repeat(keptCharacters + 1) }));
    expect(kept?.text).toBeNull();
  });

  it("gives up the oldest where the storage is full, and never what is pinned", () => {
    const entries = [entry(3), entry(2), entry(1, { pinned: true })];
    const kept = writeHistory(storageOf(350), "a", entries);
    expect(kept.map(({ id }) => id)).toEqual(["3", "1"]);
  });

  it.each(["{", "7", '[{"id":1}]'])("is empty where %j is stored", (text) => {
    const storage = storageOf();
    storage.setItem("boardwalk.requests.a", text);
    expect(readHistory(storage, "a")).toEqual([]);
  });
});
