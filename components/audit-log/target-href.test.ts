import { describe, expect, it } from "vitest";
import { targetHref } from "./target-href";

const target = (noun: string, id: string | null) => ({ noun, id, name: null });

describe("what an entry of the audit log leads to", () => {
  it.each([
    ["endpoint", "iris", "/endpoints/iris"],
    ["firmware", "sha256:00", "/firmware/sha256%3A00"],
    ["token", "tok_1", "/settings/tokens"],
    ["quota", null, "/settings/quotas"],
    ["lease", "lse_1", "/boards"],
    ["board", null, null],
    ["something", "x", null],
  ])("is, of the %s %s, %s", (noun, id, href) => {
    expect(targetHref(target(noun, id))).toBe(href);
  });

  it("is nothing where it is about nothing", () => {
    expect(targetHref(null)).toBeNull();
  });
});
