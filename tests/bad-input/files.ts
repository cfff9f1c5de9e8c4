import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = "tests/fixtures/bad";

export function badFileNames(): string[] {
  return readdirSync(folder).filter((name) => name !== "README.md");
}

export function badFile(name: string): Buffer {
  return readFileSync(join(folder, name));
}

/** Numbers in 0..1 that are the same for the same seed. @see Steele, Lea, Flood 2014, SplitMix */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** The file with bytes before or behind it, as careless tools leave it. */
export function paddings(bytes: Buffer): readonly (readonly [how: string, bytes: Buffer])[] {
  const random = seeded(bytes.length + 1);
  const noise = Buffer.from(Array.from({ length: 64 }, () => Math.floor(random() * 256)));
  return [
    ["zeros behind", Buffer.concat([bytes, Buffer.alloc(8)])],
    ["a block of zeros behind", Buffer.concat([bytes, Buffer.alloc(4096)])],
    ["noise behind", Buffer.concat([bytes, noise])],
    ["a line end behind", Buffer.concat([bytes, Buffer.from("\r\n")])],
    ["zeros before", Buffer.concat([Buffer.alloc(8), bytes])],
    ["a byte order mark before", Buffer.concat([Buffer.from("\uFEFF"), bytes])],
  ];
}
