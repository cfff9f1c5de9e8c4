import { describe, expect, it } from "vitest";
import { endpointOf } from "@/e2e/support/fixture-data";
import { reachedBy, standingOf } from "./standing";

const build = { id: "bld_1", endpointName: "a", state: "succeeded" } as const;
const served = endpointOf("a", { state: "ready", buildId: "bld_1", boardId: "brd_1" });

describe("what a build is to its endpoint", () => {
  it.each([
    [build, served, "own", 4],
    [build, { ...served, state: "testing" as const }, "own", 3],
    [build, { ...served, state: "loading" as const, boardId: null }, "own", 2],
    [build, { ...served, buildId: "bld_2" }, "other", 2],
    [build, "gone" as const, "gone", 2],
    [build, undefined, "unknown", 2],
    [{ ...build, endpointName: null }, undefined, "none", 2],
    [{ ...build, state: "failed" as const }, { ...served, state: "failed" as const }, "own", 1],
    [{ ...build, state: "cancelled" as const }, served, "own", 1],
  ])("%o with %o is %s, %i stations far", (of, endpoint, kind, stations) => {
    const standing = standingOf(of, endpoint);
    expect(standing.kind).toBe(kind);
    expect(reachedBy(of, standing)).toBe(stations);
  });
});
