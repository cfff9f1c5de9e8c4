import { describe, expect, it } from "vitest";
import { valueText } from "./radix";
import { nextTransfer } from "./transfers";

const side = (changes: readonly [number, number][]) => ({
  cycles: Uint32Array.from(changes, ([cycle]) => cycle),
  values: Float64Array.from(changes, ([, value]) => value),
});
const sides = [
  side([
    [0, 0],
    [1, 1],
    [4, 0],
  ]),
  side([
    [0, 0],
    [90, 1],
  ]),
  null,
];

describe("the next byte", () => {
  it.each([
    { from: 0, direction: 1, next: 1 },
    { from: 1, direction: 1, next: 2 },
    { from: 3, direction: 1, next: 90 },
    { from: 91, direction: 1, next: null },
    { from: 91, direction: -1, next: 90 },
    { from: 90, direction: -1, next: 3 },
    { from: 1, direction: -1, next: null },
  ] as const)("$direction from $from is $next", ({ from, direction, next }) => {
    expect(nextTransfer(sides, from, direction, 92)).toBe(next);
  });
});

describe("a value as text", () => {
  it.each([
    { value: 209, width: 8, radix: "hex", text: "d1" },
    { value: 5, width: 32, radix: "hex", text: "00000005" },
    { value: 209, width: 8, radix: "unsigned", text: "209" },
    { value: 209, width: 8, radix: "signed", text: "−47" },
    { value: 127, width: 8, radix: "signed", text: "127" },
    { value: 1, width: 1, radix: "signed", text: "1" },
  ] as const)("$value in $width bits, $radix", ({ value, width, radix, text }) => {
    expect(valueText(value, { width }, radix)).toBe(text);
  });
});
