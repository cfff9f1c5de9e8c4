import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Plan } from "@/engines";
import { mutatePlan } from "./mutate-plan";

const plan = {
  files: new Map<string, string>([["core.v", "a = 8'h01; b = 8'h01;"]]),
  variants: [],
} as unknown as Plan;

function mutate(mutation: object) {
  const path = join(mkdtempSync(join(tmpdir(), "mutation-")), "mutation.json");
  writeFileSync(path, JSON.stringify(mutation));
  return mutatePlan(plan, `file:${path}`);
}

describe("mutatePlan", () => {
  it("changes the first place in the named file, and a copy of the plan", () => {
    const { files } = mutate({ file: "core.v", from: "8'h01", to: "8'h03" });
    expect(files.get("core.v")).toBe("a = 8'h03; b = 8'h01;");
    expect(plan.files.get("core.v")).toBe("a = 8'h01; b = 8'h01;");
  });

  it.each([
    [{ file: "core.v", from: "8'hff", to: "" }],
    [{ file: "other.v", from: "8'h01", to: "" }],
  ])("does not pretend when there is nothing to change: %o", (mutation) => {
    expect(() => mutate(mutation)).toThrow(/nothing to change/);
  });
});
