import { expect, it } from "vitest";
import { holdQueries, isHeld } from "./hold-queries";

it("holds what it was told to, and nothing else, until the last who asked lets go", () => {
  const key = ["endpoints", "iris"];
  const release = holdQueries(key);
  const releaseOther = holdQueries([...key]);
  expect([isHeld(key), isHeld(["endpoints", "list"]), isHeld(["endpoints"])]).toEqual([
    true,
    false,
    false,
  ]);
  release();
  release();
  expect(isHeld(key)).toBe(true);
  releaseOther();
  expect(isHeld(key)).toBe(false);
});
