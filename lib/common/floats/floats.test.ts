import { describe, expect, it } from "vitest";
import { randomFrom } from "@/compiler/random";
import { FloatRunReader, findFloatModule, stepValues, writeFloat32Step } from ".";

const module = findFloatModule();
if (!module) throw new Error("there is no WebAssembly here");
const encode = (text: string) => new TextEncoder().encode(text);
const random = randomFrom(11);
const word = () => random.integer(0, 2 ** 32 - 1);
/** Of all 53 bits, or nearly so. */
const uniform = (most: number) => (2 * random.uniform() - 1 + random.uniform() * 2 ** -32) * most;
const fromBits = (bits: number) => new Float32Array(Uint32Array.of(bits).buffer)[0] as number;

/** Reads a list as both types, every number that is left over passed by, and compares with the platform's. */
function agree(texts: readonly string[]): { readonly read: number } {
  const bytes = encode(`${texts.join(",")}]`);
  let read = 0;
  for (const Type of [Float32Array, Float64Array]) {
    const data = new Type(texts.length);
    const reader = new FloatRunReader(module as NonNullable<typeof module>, bytes, bytes.length);
    for (let index = 0, pos = 0; index < texts.length; index++) {
      const count = reader.read(pos, data, index);
      for (let at = index; at < index + count; at++) {
        const wanted = Type === Float32Array ? Math.fround(Number(texts[at])) : Number(texts[at]);
        if (!Object.is(data[at], wanted))
          throw new Error(`${texts[at]} became ${data[at]}, not ${wanted}`);
      }
      read += count;
      index += count;
      pos = reader.pos + (count > 0 ? 1 : 0) + (texts[index]?.length ?? 0) + 1;
    }
  }
  return { read };
}
const list = (count: number, make: () => string) => Array.from({ length: count }, make);
const digits = (count: number) => list(count, () => String(random.integer(0, 9))).join("");

describe("numbers that the module reads", () => {
  it.each([
    ["doubles of any exponent", () => String(uniform(1) * 10 ** random.integer(-300, 300))],
    ["doubles near one", () => String(uniform(1000))],
    ["small doubles", () => String(uniform(1) / 1000)],
    ["float32 values", () => String(fromBits(word() & 0xbf7f_ffff))],
    ["integers", () => String(random.integer(-(2 ** 31), 2 ** 31))],
    [
      "half way between two float32 values",
      () => {
        const bits = random.integer(0x2000_0000, 0x5f00_0000);
        return String((fromBits(bits) + fromBits(bits + 1)) / 2);
      },
    ],
  ])("are the nearest, and most are read: %s", (_, make) => {
    const texts = list(20_000, make);
    expect(agree(texts).read).toBeGreaterThan(2 * texts.length * 0.55);
  });

  it("are the nearest where they are written oddly, or left to others", () => {
    agree(
      list(30_000, () => {
        const whole = random.integer(0, 2)
          ? "0"
          : `${random.integer(1, 9)}${digits(random.integer(0, 20))}`;
        const zeros = "0".repeat(random.integer(0, 8));
        const fraction = random.integer(0, 3) ? `.${zeros}${digits(random.integer(1, 24))}` : "";
        const power = `${random.integer(0, 1) ? "e" : "E"}${["", "-", "+"][random.integer(0, 2)]}${random.integer(0, random.integer(0, 1) ? 40 : 400)}`;
        return `${random.integer(0, 1) ? "-" : ""}${whole}${fraction}${random.integer(0, 3) ? "" : power}`;
      }),
    );
  });

  it.each(["01", "1.", ".5", "-", "1e", "1e+", "+1", "NaN", "-Infinity", "x", "[1"])(
    "are never such as %s",
    (text) => {
      const bytes = encode(`${text}]`);
      const data = new Float32Array(1);
      expect(new FloatRunReader(module, bytes, bytes.length).read(0, data, 0)).toBe(0);
    },
  );

  it("do not end where the text does: they could go on", () => {
    const bytes = encode("1.5,2.5,3.25]");
    for (let end = 4; end <= 12; end++) {
      const data = new Float64Array(3);
      expect(new FloatRunReader(module, bytes, end).read(0, data, 0)).toBe(end > 7 ? 2 : 1);
    }
  });

  it("are read across windows, wherever those cut them", () => {
    for (const pad of [0, 1, 2, 3, 5, 7, 11, 13]) {
      const texts = list(20_000, () => String(uniform(1000)));
      const bytes = encode(`${" ".repeat(pad)}${texts.join(", ")}]`);
      const data = new Float64Array(texts.length);
      expect(new FloatRunReader(module, bytes, bytes.length).read(0, data, 0)).toBe(texts.length);
      expect(data.every((value, index) => value === Number(texts[index]))).toBe(true);
    }
  });
});

/** The shortest that reads back, the nearest of those, tried digit by digit. */
function shortest(value: number): string {
  for (let count = 1; count <= 9; count++) {
    const text = value.toPrecision(count);
    if (Math.fround(Number(text)) === value) return String(Number(text));
  }
  throw new Error(`no text for ${value}`);
}

describe("float32 values that the module writes", () => {
  const write = (values: Float32Array) =>
    new TextDecoder().decode(writeFloat32Step(module, values)).slice(0, -1).split(",");

  it("read back, and have as few digits as can be", () => {
    for (let step = 0; step < 50; step++) {
      const values = new Float32Array(Uint32Array.from({ length: stepValues }, word).buffer).map(
        (value) => (Number.isFinite(value) && value !== 0 ? value : 1),
      );
      for (const [index, text] of write(values).entries()) {
        const value = values[index] as number;
        if (Math.fround(Number(text)) !== value || text !== String(Number(text)))
          throw new Error(`${value} became ${text}`);
        if (index % 8 === 0 && text.length > shortest(value).length)
          throw new Error(`${text} is longer than ${shortest(value)}`);
      }
    }
  });

  it("are right around every power of two and ten", () => {
    const around = (value: number) => {
      const [bits = 0] = new Uint32Array(Float32Array.of(value).buffer);
      return [-2, -1, 0, 1, 2].map((offset) => fromBits(bits + offset));
    };
    const powers = [
      ...Array.from({ length: 276 }, (_, index) => 2 ** (index - 148)),
      ...Array.from({ length: 83 }, (_, index) => 10 ** (index - 44)),
    ];
    const values = powers.flatMap(around).filter((value) => Number.isFinite(value) && value > 0);
    const texts = write(Float32Array.from(values));
    expect(texts).toHaveLength(values.length);
    for (const [index, value] of values.entries()) {
      expect(Math.fround(Number(texts[index]))).toBe(value);
      expect(texts[index]?.length).toBeLessThanOrEqual(shortest(value).length);
    }
  });

  it("read back by way of a double where the shortest text would not", () => {
    const values = Float32Array.of(fromBits(0x15ae_43fd), fromBits(0x95ae_43fd));
    expect(write(values)).toEqual(["7.0385307e-26", "-7.0385307e-26"]);
  });

  it("fit where each takes the most room", () => {
    const values = new Float32Array(stepValues).fill(-1e20);
    expect(new Set(write(values))).toEqual(new Set(["-100000000000000000000"]));
  });
});
