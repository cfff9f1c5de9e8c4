import { describe, expect, it } from "vitest";
import { canRetry, fail, type Reason } from ".";

describe("trying again", () => {
  it.each<[Reason, boolean, string]>([
    ["STORE_UNAVAILABLE", true, "a store comes back"],
    ["SOURCE_UNAVAILABLE", true, "so does another's server"],
    ["SOURCE_NOT_FOUND", true, "somebody puts the file there"],
    ["SOURCE_ACCESS_DENIED", true, "somebody opens the bucket"],
    ["INTERNAL", true, "nobody knows"],
    ["TOOL_MISSING", true, "somebody installs it"],
    ["BUILD_TIMED_OUT", true, "the machine was busy"],
    ["URL_NOT_ALLOWED", false, "the address is the same"],
    ["MODEL_IS_WEB_PAGE", false, "the bytes are the same"],
    ["MODEL_TOO_LARGE", false, "the board is the same"],
    ["VERIFICATION_FAILED", false, "the design is the same"],
    ["NAME_TAKEN", false, "the name is the same"],
  ])("after %s: %s, since %s", (reason, helps, _why) => {
    expect(canRetry(fail(reason, "no"))).toBe(helps);
  });
});
