import { describe, expect, it } from "vitest";
import { boards, endpointOf, builds as someBuilds } from "@/e2e/support/fixture-data";
import { attentionOf } from "./attention";
import { median } from "./median";

const now = Date.now();
const [first] = someBuilds;
const build = (more: object) => ({ ...first!, ...more });
const at = (secondsAgo: number) => new Date(now - secondsAgo * 1000).toISOString();

describe("what needs somebody", () => {
  it("is nothing while all is well", () => {
    expect(attentionOf({ endpoints: [endpointOf("a")], boards, builds: [] }, now)).toEqual([]);
  });

  it("names a failed endpoint once, though its build failed too", () => {
    const endpoints = [endpointOf("a", { state: "failed", buildId: "bld_1" })];
    const builds = [build({ id: "bld_1", state: "failed", endpointName: "a", createdAt: at(60) })];
    const found = attentionOf({ endpoints, boards: [], builds }, now);
    expect(found.map(({ subject, href }) => [subject, href])).toEqual([["a", "/builds/bld_1"]]);
  });

  it("forgets a failed build that a later one made good, and those of yesterday", () => {
    const builds = [
      build({ id: "bld_2", state: "succeeded", endpointName: "a", createdAt: at(30) }),
      build({ id: "bld_1", state: "failed", endpointName: "a", createdAt: at(60) }),
      build({ id: "bld_0", state: "failed", endpointName: "b", createdAt: at(90_000) }),
    ];
    expect(attentionOf({ endpoints: [], boards: [], builds }, now)).toEqual([]);
  });

  it("tells of silent boards", () => {
    const silent = boards.map((board) => ({ ...board, state: "offline" as const }));
    expect(attentionOf({ endpoints: [], boards: silent, builds: [] }, now)).toHaveLength(3);
  });
});

describe("the median", () => {
  it.each([
    [[3, 1, 2], 2],
    [[4, 1, 2, 3], 2.5],
    [[], null],
  ])("of %j is %s", (values, middle) => {
    expect(median(values)).toBe(middle);
  });
});
