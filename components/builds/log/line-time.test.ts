import { describe, expect, it } from "vitest";
import type { LogLine } from "@/lib/common/contract";
import { lineTime } from "./line-time";

const line = (time: string): LogLine => ({
  ...{ n: 2, stage: "place", stream: "stdout", level: "info", text: "x" },
  time,
});
const now = line("2026-11-20T12:00:05.250Z");
const context = {
  startTime: "2026-11-20T12:00:00.000Z",
  before: line("2026-11-20T12:00:05.200Z"),
};

describe("the time beside a line", () => {
  it("is since the first line, or since the one before", () => {
    expect(lineTime("relative", now, context)).toBe("5.250");
    expect(lineTime("delta", now, context)).toBe("+0.050");
  });

  it("is the hour where the reader is, to the millisecond", () => {
    expect(lineTime("absolute", now, context)).toMatch(/^\d\d:\d\d:05\.250$/);
  });

  it("is left out where nothing tells, or nobody asked", () => {
    expect(lineTime("off", now, context)).toBeNull();
    expect(lineTime("delta", now, { ...context, before: undefined })).toBeNull();
  });
});
