import { describe, expect, it } from "vitest";
import { randomFrom } from "@/compiler/random";
import { FloatRunReader, findFloatModule, stepValues, writeFloat32Step } from "@/lib/common/floats";

// Float32 values as texts and back, and ten million doubles. One step of 2,048 float32 values in FLOAT_STRIDE is taken; 1 takes
// all of them, a quarter of an hour of one core.

const stride = Number(process.env["FLOAT_STRIDE"] ?? 31);
const module = findFloatModule();
if (!module) throw new Error("there is no WebAssembly here");
const hourMs = 3_600_000;

/** A text with fewer digits that reads back, if there is one: the nearest below, and those beside it. */
function shorter(value: number, text: string): string | null {
  const count = text
    .replace(/e.*$/, "")
    .replace(/[-.]/g, "")
    .replace(/^0+/, "")
    .replace(/0+$/, "").length;
  if (count < 2) return null;
  const [mantissa = "", exponent = "0"] = Math.abs(value)
    .toExponential(count - 2)
    .split("e");
  const nearest = BigInt(mantissa.replace(".", ""));
  for (const digits of [nearest - 1n, nearest, nearest + 1n]) {
    const candidate = `${digits}e${Number(exponent) - (count - 2)}`;
    if (Math.fround(Number(candidate)) === Math.abs(value)) return candidate;
  }
  return null;
}

describe("floats as texts", () => {
  it(
    "gives float32 values back from the shortest text that the platform reads as it",
    () => {
      const words = new Uint32Array(stepValues);
      const values = new Float32Array(words.buffer);
      const back = new Float32Array(stepValues);
      const backWords = new Uint32Array(back.buffer);
      const text = new TextDecoder();
      let seen = 0;
      let judged = 0;
      for (let step = 0; step < 2 ** 32 / stepValues; step += stride) {
        for (let index = 0; index < stepValues; index++) words[index] = step * stepValues + index;
        // All of one step are finite, or none.
        if (((words[0] as number) & 0x7f80_0000) === 0x7f80_0000) continue;
        const bytes = writeFloat32Step(module, values).slice();
        const reader = new FloatRunReader(module, bytes, bytes.length);
        let read = 0;
        // What the module leaves, the platform reads.
        for (let pos = 0; read < stepValues; ) {
          read += reader.read(pos, back, read);
          if (read === stepValues) break;
          const from =
            reader.pos === 0 && read === 0
              ? 0
              : reader.pos + (reader.pos > pos || read === 0 ? 1 : 0);
          const to = bytes.indexOf(0x2c, from);
          back[read++] = Number(text.decode(bytes.subarray(from, to)));
          pos = to + 1;
        }
        for (let index = 0; index < stepValues; index++) {
          if (words[index] !== backWords[index])
            throw new Error(`${values[index]} became ${back[index]}`);
        }
        seen += stepValues;
        if ((step / stride) % 64 !== 0) continue;
        for (const [index, each] of text.decode(bytes).slice(0, -1).split(",").entries()) {
          const value = values[index] as number;
          if (!Object.is(Math.fround(Number(each)), value)) throw new Error(`${value} is ${each}`);
          const better = value === 0 ? null : shorter(value, each);
          if (better !== null) throw new Error(`${each} is longer than ${better}`);
          judged++;
        }
      }
      process.stdout.write(`${seen} float32 values, ${judged} of them judged by the platform\n`);
      expect(seen).toBeGreaterThan((2 ** 32 / stride) * 0.99);
    },
    hourMs,
  );

  it(
    "reads 10,000,000 doubles as the platform does, as FP64 and as FP32",
    () => {
      const random = randomFrom(5);
      const size = 10_000;
      let read = 0;
      for (let round = 0; round < 1000; round++) {
        const words = Uint32Array.from({ length: 2 * size }, () => random.integer(0, 2 ** 32 - 1));
        const values = new Float64Array(words.buffer).map((value, index) =>
          // Half of them of any bits, half of the size that measurements have.
          index % 2 === 0 && Number.isFinite(value)
            ? value
            : (random.uniform() - 0.5) * 2000 + random.uniform() * 2 ** -25,
        );
        const texts = Array.from(values, String);
        const bytes = new TextEncoder().encode(`${texts.join(",")}]`);
        for (const data of [new Float64Array(size), new Float32Array(size)]) {
          const reader = new FloatRunReader(module, bytes, bytes.length);
          for (let index = 0, pos = 0; index < size; index++) {
            const count = reader.read(pos, data, index);
            for (let at = index; at < index + count; at++) {
              const value = values[at] as number;
              const wanted = data instanceof Float32Array ? Math.fround(value) : value;
              if (!Object.is(data[at], value === 0 ? 0 : wanted))
                throw new Error(`${texts[at]} became ${data[at]}`);
            }
            read += count;
            index += count;
            pos = reader.pos + (count > 0 ? 1 : 0) + (texts[index]?.length ?? 0) + 1;
          }
        }
      }
      process.stdout.write(`${read} of 20,000,000 numbers read by the module\n`);
      expect(read).toBeGreaterThan(14_000_000);
    },
    hourMs,
  );
});
