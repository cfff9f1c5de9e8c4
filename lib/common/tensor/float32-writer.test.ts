import { describe, expect, it } from "vitest";
import { randomFrom } from "@/compiler/random";
import { float32List } from "./float32-writer";

const bitsOf = (value: number) => new Uint32Array(Float32Array.of(value).buffer)[0];

/** The shortest that reads back, tried digit by digit. */
function shortest(value: number): string {
  for (let digits = 1; digits <= 9; digits++) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === value) return String(Number(text));
  }
  throw new Error(`no text for ${value}`);
}

describe("a list of float32 values as JSON", () => {
  it.each([
    [[0, -0, 1, -1, 100, 16_777_215], "0,-0.0,1,-1,100,16777215"],
    [[0.1, -2.5, 1e-45, 3.4028235e38], "0.1,-2.5,1e-45,3.4028235e+38"],
    [[Number.NaN, Infinity, -Infinity], '"NaN","Infinity","-Infinity"'],
    [
      [1e-6, 1e-7, 1.5e-7, 1e20, 1e21, 1.5e21],
      "0.000001,1e-7,1.5e-7,100000000000000000000,1e+21,1.5e+21",
    ],
    [[], ""],
  ])("%j is %s", (values, text) => {
    expect(float32List(Float32Array.from(values))).toBe(text);
  });

  it("reads back bit for bit, with as few digits as can be, over all exponents", () => {
    const random = randomFrom(7);
    const words = Uint32Array.from({ length: 200_000 }, () => random.integer(0, 2 ** 32 - 1));
    const values = new Float32Array(words.buffer).filter(Number.isFinite);
    const texts = float32List(values).split(",");
    expect(texts).toHaveLength(values.length);
    for (const [index, text] of texts.entries()) {
      const value = values[index] as number;
      if (bitsOf(Number(text)) !== bitsOf(value)) throw new Error(`${value} became ${text}`);
      if (value !== 0 && index % 20 === 0 && text !== shortest(value))
        throw new Error(`${text} is not ${shortest(value)}`);
    }
  });

  it("reads back where numbers have few digits", () => {
    const values = Float32Array.from({ length: 100_000 }, (_, index) => (index - 50_000) / 1000);
    for (const [index, text] of float32List(values).split(",").entries()) {
      const wanted = String((index - 50_000) / 1000);
      if (text !== wanted && index !== 50_000) throw new Error(`${text} is not ${wanted}`);
    }
  });
});
