import { expect, it, vi } from "vitest";
import type { StageName } from "@/lib/common/contract";
import { holdLog } from "./hold-log";
import type { NewLine } from "./writer";

function setUp() {
  const written: NewLine[] = [];
  const log = holdLog({ write: (line) => void written.push(line), room: async () => {} });
  const say = (stage: StageName, text: string) =>
    log.write({ stage, text, stream: "boardwalk", level: "info" });
  return { log, say, texts: () => written.map(({ text }) => text), written };
}

it("writes the lines of a stage in one piece when the next one begins, and the rest when released", () => {
  const { log, say, texts } = setUp();
  say("simulate", "a");
  say("simulate", "b");
  expect(texts()).toEqual([]);
  say("verify", "c");
  expect(texts()).toEqual(["a", "b"]);
  log.release();
  log.release();
  expect(texts()).toEqual(["a", "b", "c"]);
});

it("keeps the time at which a line came", () => {
  vi.useFakeTimers({ now: 5000 });
  const { log, say, written } = setUp();
  say("simulate", "a");
  vi.setSystemTime(9000);
  log.release();
  expect(Date.parse(written[0]?.time ?? "")).toBe(5000);
  vi.useRealTimers();
});

it("does not keep more than its part of memory", () => {
  const { say, texts } = setUp();
  for (let line = 0; line < 50; line++) say("simulate", "x".repeat(100_000));
  expect(texts().length).toBeGreaterThan(40);
});
