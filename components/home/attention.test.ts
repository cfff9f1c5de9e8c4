import { describe, expect, it } from "vitest";
import { boards, endpointOf, builds as someBuilds } from "@/e2e/support/fixture-data";
import { attentionOf } from "./attention";

const [first] = someBuilds;
const build = (more: object) => ({ ...first!, ...more });

describe("what needs somebody", () => {
  it("is nothing while all is well", () => {
    expect(attentionOf({ endpoints: [endpointOf("a")], boards, failures: [] })).toEqual([]);
  });

  it("names a failed endpoint once, though its build failed too", () => {
    const endpoints = [endpointOf("a", { state: "failed", buildId: "bld_1" })];
    const failures = [build({ id: "bld_1", state: "failed", endpointName: "a" })];
    const found = attentionOf({ endpoints, boards: [], failures });
    expect(found.map(({ subject, href }) => [subject, href])).toEqual([["a", "/builds/bld_1"]]);
  });

  it("names a failed build where its endpoint is well", () => {
    const failures = [build({ id: "bld_1", state: "failed", endpointName: "a" })];
    const found = attentionOf({ endpoints: [endpointOf("a")], boards: [], failures });
    expect(found.map(({ subject, href }) => [subject, href])).toEqual([["a", "/builds/bld_1"]]);
  });

  it("calls a cancelled build no fault", () => {
    const problem = { code: "cancelled", reason: "CANCELLED", message: "Cancelled." } as const;
    const endpoints = [endpointOf("a", { state: "failed", buildId: "bld_1", problem })];
    const found = attentionOf({ endpoints, boards: [], failures: [] });
    expect(found).toMatchObject([{ tone: "info", text: expect.stringMatching(/was cancelled/) }]);
  });

  it("tells of silent boards", () => {
    const silent = boards.map((board) => ({ ...board, state: "offline" as const }));
    expect(attentionOf({ endpoints: [], boards: silent, failures: [] })).toHaveLength(3);
  });
});
