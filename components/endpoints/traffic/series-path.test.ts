import { expect, it } from "vitest";
import { seriesPath } from "./series-path";

const at = (x: number, y: number) => ({ x, y });

it("has a gap where nothing is known, and shows a value that stands alone", () => {
  expect(seriesPath([at(0, 1), at(10, 2), null, at(30, 3), null])).toBe(
    "M0.0 1.0L10.0 2.0M28.0 3.0h4",
  );
  expect(seriesPath([null, null])).toBe("");
});
