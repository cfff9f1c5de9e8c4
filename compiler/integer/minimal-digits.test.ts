import { describe, expect, it } from "vitest";
import { minimalDigits } from "./minimal-digits";
import { signedDigits } from "./signed-digits";

const numberOf = (digits: ReturnType<typeof signedDigits>) =>
  digits.reduce((sum, { position, negative }) => sum + (negative ? -1 : 1) * 2 ** position, 0);

describe("ways of writing a number with the fewest signed digits", () => {
  it("are all of one length and one value, the canonical way first", () => {
    for (let value = 1; value < 2 ** 10; value++) {
      const [canonical = [], ...others] = minimalDigits(value);
      expect(canonical).toEqual(signedDigits(value));
      for (const way of [canonical, ...others]) {
        expect(way).toHaveLength(canonical.length);
        expect(numberOf([...way])).toBe(value);
      }
    }
  });

  it("are 16 − 4 − 1, 8 + 4 − 1 and 8 + 2 + 1 for 11", () => {
    const texts = minimalDigits(11).map((way) =>
      way.map(({ position, negative }) => (negative ? -1 : 1) * 2 ** position).join(" "),
    );
    expect(texts.sort()).toEqual(["-1 -4 16", "-1 4 8", "1 2 8"]);
  });
});
