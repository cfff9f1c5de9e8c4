import { writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { fail } from "@/lib/common/errors";
import { isDiskFull, nameFullDisk } from "./is-disk-full";

describe("a full disk", () => {
  it("is told by what the system says of a write, and from what a tool may not write", async () => {
    const error: unknown = await writeFile("/dev/full", "x").catch((thrown: unknown) => thrown);
    const named = nameFullDisk(error);
    expect(named).toMatchObject({ reason: "NO_SPACE", cause: error });
    expect([error, named].map(isDiskFull)).toEqual([true, true]);
    expect(nameFullDisk(named)).toBe(named);
    const quota = fail("NO_SPACE", "The tool wrote more than its folder may hold.");
    for (const other of [quota, new Error("other"), null]) {
      expect(isDiskFull(other)).toBe(false);
      expect(nameFullDisk(other)).toBe(other);
    }
  });
});
