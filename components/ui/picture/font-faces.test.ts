import { expect, it } from "vitest";
import { spansOf } from "./font-faces";

it.each([
  ["U+0460-052F", [[0x460, 0x52f]], "a span"],
  [
    "U+0301, u+2116",
    [
      [0x301, 0x301],
      [0x2116, 0x2116],
    ],
    "single ones",
  ],
  ["U+4??", [[0x400, 0x4ff]], "wildcards"],
  ["", [[0, 0x10ffff]], "none, which means all"],
])("reads %j as %j: %s", (range, spans) => {
  expect(spansOf(range)).toEqual(spans);
});
