import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { signedDigits } from "./signed-digits";

const sumOf = (digits: ReturnType<typeof signedDigits>) =>
  digits.reduce((sum, { position, negative }) => sum + (negative ? -1 : 1) * 2 ** position, 0);

describe("canonical signed digits", () => {
  it.each([
    { value: 0, text: "" },
    { value: 1, text: "+0" },
    { value: -1, text: "-0" },
    { value: 3, text: "-0 +2" },
    { value: 127, text: "-0 +7" },
    { value: -127, text: "+0 -7" },
    { value: 85, text: "+0 +2 +4 +6" },
  ])("write $value as '$text'", ({ value, text }) => {
    const digits = signedDigits(value).map(
      ({ position, negative }) => `${negative ? "-" : "+"}${position}`,
    );
    expect(digits.join(" ")).toBe(text);
  });

  it("are the number again, and no two of them are neighbours", () => {
    fc.assert(
      fc.property(fc.integer({ min: -(2 ** 31), max: 2 ** 31 }), (value) => {
        const digits = signedDigits(value);
        expect(sumOf(digits)).toBe(value);
        for (const [index, { position }] of digits.entries()) {
          const before = digits[index - 1];
          if (before) expect(position - before.position).toBeGreaterThan(1);
        }
      }),
    );
  });
});
