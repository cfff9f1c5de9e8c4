import type { MemoryPlace } from "@/compiler";

/** A core with one bit of one of its memories turned over. */
export function withFlippedBit(verilog: string, { memory, word, bit }: MemoryPlace): string {
  const line = new RegExp(`(    ${memory}\\[${word}\\] = \\d+'h)([0-9a-f]+);`);
  const changed = verilog.replace(line, (_, start: string, digits: string) => {
    const value = BigInt(`0x${digits}`) ^ (1n << BigInt(bit));
    return `${start}${value.toString(16).padStart(digits.length, "0")};`;
  });
  if (changed === verilog) throw new Error(`The core has no word ${word} of ${memory}.`);
  return changed;
}
