import { describe, expect, it } from "vitest";
import { advisoriesIn, judgeAdvisories } from "./advisories.mjs";

const report = JSON.stringify({
  auditReportVersion: 2,
  vulnerabilities: {
    left: {
      via: [
        {
          source: 1,
          name: "left",
          title: "It reads too much",
          url: "https://github.com/advisories/GHSA-aaaa-bbbb-cccc",
          severity: "high",
        },
      ],
    },
    right: { via: ["left"] },
  },
  metadata: {},
});
const [left] = advisoriesIn(report) ?? [];
const exception = { id: "GHSA-aaaa-bbbb-cccc", until: "2026-12-01", why: "only tests load it" };

describe("the audit of packages", () => {
  it("finds each advisory once", () => {
    expect(advisoriesIn(report)).toMatchObject([{ id: "GHSA-aaaa-bbbb-cccc", package: "left" }]);
  });

  it.each([
    ["words of a registry that is away", '{"error":{"code":"ENOTFOUND"},"vulnerabilities":{}}'],
    ["a registry without audits", '{"message":"404 Not Found"}'],
    ["a page", "<html>"],
    ["nothing", ""],
  ])("does not take %s for a clean report", (_what, text) => {
    expect(advisoriesIn(text)).toBeNull();
  });

  it("refuses what nobody excused, what was excused until yesterday, and idle excuses", () => {
    if (!left) throw new Error("no advisory");
    expect(judgeAdvisories([left], [exception], "2026-12-01")).toEqual([]);
    expect(judgeAdvisories([left], [], "2026-12-01")).toEqual([
      expect.stringContaining("left (high)"),
    ]);
    expect(judgeAdvisories([left], [exception], "2026-12-02")).toEqual([
      expect.stringContaining("ended on 2026-12-01"),
    ]);
    expect(judgeAdvisories([], [exception], "2026-11-01")).toEqual([
      expect.stringContaining("remove its exception"),
    ]);
  });
});
