import { describe, expect, it } from "vitest";
import { shareClipped } from "./share-answer";

describe("what was clipped in a call", () => {
  it.each([
    { why: "one of three requests", clipped: [0, 2, 1, 0], rows: [1, 2, 1], wanted: [0, 3, 0] },
    { why: "a request that is not batched", clipped: [1, 4], rows: [1], wanted: [5] },
  ])("is told to the request it is of: $why", ({ clipped, rows, wanted }) => {
    expect(shareClipped(clipped, rows)).toEqual(wanted);
  });
});
