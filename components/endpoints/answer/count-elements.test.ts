import { describe, expect, it } from "vitest";
import { countElements } from "./count-elements";

describe("the elements of a request", () => {
  it.each([
    ['{"inputs":[{"name":"x","shape":[2,4],"data":[]}]}', 8],
    ['{"inputs":[{"shape":[1,3]},{"shape":[1]}]}', 4],
    ["{", null],
    ['{"instances":[1]}', null],
  ])("of %s are %s", (text, count) => {
    expect(countElements(text)).toBe(count);
  });
});
