import { describe, expect, it } from "vitest";
import { z } from "zod";
import { fail, toAppError } from ".";

describe("an unexpected error", () => {
  it.each([
    [Object.assign(new Error("connect"), { code: "ECONNREFUSED" }), "connection"],
    [Object.assign(new Error("/secret/path"), { code: "ENOENT" }), "files"],
    [Object.assign(new Error("full"), { code: "ENOSPC" }), "resources"],
    [z.string().safeParse(1).error, "data"],
    [new TypeError("x is not a function"), "program"],
    ["a string", "program"],
  ])("%s says which kind of cause it has, and nothing of the cause", (thrown, category) => {
    const { reason, message, hint, details } = toAppError(thrown);
    expect({ reason, details }).toEqual({ reason: "INTERNAL", details: { category } });
    expect(`${message} ${hint}`).not.toMatch(/secret|connect$|not a function|a string/);
    expect(hint).toMatch(/request id/);
  });

  it("is none of ours", () => {
    const ours = fail("NAME_TAKEN", "taken");
    expect(toAppError(ours)).toBe(ours);
  });
});
