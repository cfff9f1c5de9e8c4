import { describe, expect, it } from "vitest";
import { fail } from "@/lib/common/errors";
import { makeLogger } from "./logger";

/** What a logger writes, line by line. */
function written(write: (log: ReturnType<typeof makeLogger>) => void): string[] {
  let text = "";
  write(makeLogger("info", { write: (piece) => (text += piece) }));
  expect(text.endsWith("\n")).toBe(true);
  return text.slice(0, -1).split("\n");
}

describe("a line of a log", () => {
  it("is JSON with its time, its level and its process", () => {
    const [line = "", ...others] = written((log) => {
      log.debug("too much");
      log.child({ job: "build.run" }).info({ requestId: "id", status: 200 }, "request");
    });
    expect(others).toEqual([]);
    expect(JSON.parse(line)).toEqual({
      level: "info",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      pid: process.pid,
      job: "build.run",
      requestId: "id",
      status: 200,
      msg: "request",
    });
  });

  it("stays one line whatever text it carries, which is a value and never a field", () => {
    const name = 'a"}\n{"level":"error","msg":"forged\u2028\u001b[31m';
    const [line = "", ...others] = written((log) => log.warn({ name }, name));
    expect(others).toEqual([]);
    expect(line).not.toMatch(/\p{Cc}/u);
    expect(JSON.parse(line)).toMatchObject({ level: "warn", name, msg: name });
  });

  it("tells of an error by code and reason, with its causes", () => {
    const err = fail("NO_SPACE", "The disk is full.", { cause: new Error("ENOSPC") });
    const [line = ""] = written((log) => log.error({ err }, "job"));
    expect(JSON.parse(line).err).toEqual({
      message: "The disk is full.",
      code: "resource_exhausted",
      reason: "NO_SPACE",
      stack: expect.any(String),
      cause: { message: "ENOSPC", stack: expect.any(String) },
    });
  });
});
