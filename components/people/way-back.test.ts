import { describe, expect, it } from "vitest";
import { wayBack } from "./way-back";

describe("the way back after signing in", () => {
  it.each([
    ["/builds?state=failed", "/builds?state=failed"],
    ["/deploy?sample=iris-mlp#x", "/deploy?sample=iris-mlp#x"],
    [null, "/"],
    ["", "/"],
    ["//evil.test", "/"],
    ["/\\evil.test", "/"],
    ["/a\\b", "/"],
    ["https://evil.test", "/"],
    ["javascript:alert(1)", "/"],
    ["/\n/evil.test", "/"],
    ["/sign-in", "/"],
    ["/sign-in?next=/sign-in", "/"],
  ])("%j is %s", (next, path) => {
    expect(wayBack(next)).toBe(path);
  });
});
