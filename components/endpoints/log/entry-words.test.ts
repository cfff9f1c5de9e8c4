import { createTranslator } from "next-intl";
import { describe, expect, it } from "vitest";
import { type EndpointLogEntry, endpointLogKinds } from "@/lib/common/contract";
import { messages } from "@/messages/en";
import { entryTone, entryWords } from "./entry-words";

const t = createTranslator({ locale: "en", messages, namespace: "traffic.log" });

const entry = (more: Partial<EndpointLogEntry>): EndpointLogEntry => ({
  id: "1",
  at: "2026-01-01T00:00:00.000Z",
  kind: "state",
  state: null,
  revision: null,
  boardId: null,
  board: null,
  reason: null,
  message: null,
  ...more,
});

describe("what happened to an endpoint", () => {
  it.each([
    [{ kind: "state", state: "failed" }, "The endpoint has failed", "bad"],
    [{ kind: "state", state: "odd" }, "The endpoint is odd", "idle"],
    [{ kind: "switched", revision: 2 }, "Requests go to revision 2", "ok"],
    [{ kind: "board", revision: 1, state: "serving" }, "Revision 1: serves", "ok"],
    [{ kind: "board", revision: 1, state: "loading" }, "Revision 1: is being loaded", "run"],
    [{ kind: "paused" }, "Callers are kept away", "idle"],
  ] as const)("%o is told as %s", (more, words, tone) => {
    expect(entryWords(entry(more), t)).toBe(words);
    expect(entryTone(entry(more))).toBe(tone);
  });

  it("has words for every kind", () => {
    for (const kind of endpointLogKinds)
      expect(entryWords(entry({ kind, state: "ready", revision: 1 }), t)).not.toMatch(/[{}]|kinds/);
  });
});
