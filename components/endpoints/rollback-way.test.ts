import { expect, it } from "vitest";
import { rollbackWay } from "./rollback-way";

it.each([
  [1, 2, "back"],
  [2, 2, "stay"],
  [3, 2, "forward"],
  [3, undefined, "back"],
] as const)("the way to revision %o from %o is %s", (ordinal, serving, way) => {
  expect(rollbackWay(ordinal, serving)).toBe(way);
});
