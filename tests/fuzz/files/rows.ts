import type { Random } from "@/compiler/random";
import { chance, pick } from "../random-of";
import { damage, oddIntegers, oddTexts } from "./damage";

const types = [
  "<f4",
  "<f8",
  ">f4",
  "<i8",
  "|u1",
  "|b1",
  "<f2",
  "<V2",
  "|S5",
  "<U3",
  "|O",
  "<M8[s]",
];

/** A `.npy` file: whole, with a head that promises what is not there, or damaged. */
export function spoilNpy(random: Random): Uint8Array {
  const odd = () => pick([...oddIntegers, 4n, 4n, 4n], random);
  const isPlain = chance(3, random);
  const shape = isPlain ? [2n, 4n] : Array.from({ length: random.integer(0, 5) }, odd);
  const descr = isPlain ? "<f4" : pick(types, random);
  const order = chance(2, random) ? "True" : "False";
  const text = `{'descr': '${descr}', 'fortran_order': ${order}, 'shape': (${shape.join(", ")},), }`;
  const version = pick([1, 1, 2, 3, 9], random);
  const header = Buffer.from(`${text.padEnd(117)}\n`);
  const length = chance(6, random) ? Number(BigInt.asUintN(16, odd())) : header.length;
  const head = Buffer.alloc(version === 1 ? 10 : 12);
  head.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, version, 0]);
  if (version === 1) head.writeUInt16LE(length, 8);
  else head.writeUInt32LE(length, 8);
  const data = Buffer.alloc(
    pick([0, 31, 32, 64, 4096], random),
    pick([0, 0x3f, 0x7f, 0xff], random),
  );
  const bytes = Buffer.concat([head, header, data]);
  return chance(3, random) ? damage(bytes, random, bytes) : bytes;
}

const cells = [
  "1",
  "-2.5",
  "1e3",
  "0.1",
  "1,5",
  "NaN",
  "1e999",
  "",
  '"',
  '"3"',
  '"a""b"',
  "true",
  "0x10",
];

/** Lines of cells, even or not, with texts that are no cells. */
export function spoilText(random: Random): Uint8Array {
  const separator = pick([",", ",", ";", "\t", "|"], random);
  const end = pick(["\n", "\n", "\r\n", "\r", "\n\n"], random);
  const isPlain = chance(2, random);
  const width = isPlain ? pick([4, 5], random) : random.integer(0, 6);
  const cell = () =>
    isPlain || chance(3, random)
      ? `${random.integer(-100, 100) / 8}`
      : chance(5, random)
        ? Buffer.from(pick(oddTexts, random)).toString("latin1")
        : pick(cells, random);
  const line = () => Array.from({ length: width }, cell).join(separator);
  const lines = Array.from({ length: random.integer(0, 12) }, line);
  const header = chance(3, random) ? ["a", "b", "c", "label"].join(separator) : null;
  const text = Buffer.from([...(header ? [header] : []), ...lines].join(end));
  const marked = chance(8, random) ? Buffer.concat([Buffer.from("\ufeff"), text]) : text;
  return chance(4, random) ? damage(marked, random, text) : marked;
}
