import { fail } from "@/lib/common/errors";

/** What a bitstream puts into one block RAM of an iCE40 before the design starts. */
export interface BlockRam {
  /** Tile of its lower half. */
  readonly x: number;
  readonly y: number;
  /** Bits of a word on the read port: 16, 8, 4 or 2. */
  readonly wordBits: number;
  /** 4096 / wordBits words, as the design reads them: word 0 first. */
  readonly words: readonly number[];
}

const ROWS = 256;
const ROW_BITS = 16;

/**
 * Recovers the contents of every block RAM from the text form of a bitstream (`.asc`, what `iceunpack` writes), but for
 * those with nothing in them: the packer writes unused ones too.
 *
 * A RAM is 256 rows of 16 bits. `.ram_data` has sixteen lines of sixteen rows, the first row at the right end. In the
 * narrower modes a word is every 2nd, 4th or 8th bit of a row. Yosys gives the lowest address bits to the choice within
 * a row and the data bits to the pins in bit-reversed order. So, with the four bits of a bit's place in its row reversed,
 * the RAM is one run of 4,096 bits, cut into words of any width.
 *
 * @throws {AppError} `OUTPUT_INVALID` when the text is cut off.
 */
export function readBlockRams(asc: string): BlockRam[] {
  const tiles = tilesOf(asc);
  return [...tiles].flatMap(([name, lines]) => {
    const [kind, x, y] = name.split(" ");
    if (kind !== ".ram_data") return [];
    const rows = lines.flatMap(rowsOf);
    const upper = tiles.get(`.ramt_tile ${x} ${Number(y) + 1}`);
    if (rows.length !== ROWS || upper === undefined) {
      throw fail("OUTPUT_INVALID", `The block RAM at ${x}, ${y} is not whole.`);
    }
    if (rows.every((row) => row === 0)) return [];
    const wordBits = ROW_BITS >> readMode(upper);
    return [{ x: Number(x), y: Number(y), wordBits, words: wordsOf(rows, wordBits) }];
  });
}

/** The lines of every tile, by its heading: `.ram_data 6 7`. */
function tilesOf(asc: string): Map<string, string[]> {
  const tiles = new Map<string, string[]>();
  let lines: string[] = [];
  for (const line of asc.split("\n")) {
    if (line.startsWith(".")) tiles.set(line.trim(), (lines = []));
    else if (line !== "") lines.push(line);
  }
  return tiles;
}

/** Configuration bits CBIT_2 and CBIT_3 of the upper tile: 0 is 16 bits wide, each step halves it. */
function readMode(upperTile: readonly string[]): number {
  const bit = (row: number) => (upperTile[row]?.[7] === "1" ? 1 : 0);
  return bit(2) * 2 + bit(3);
}

function rowsOf(line: string): number[] {
  return (line.match(/[0-9a-f]{4}/g) ?? []).map((digits) => Number.parseInt(digits, 16)).reverse();
}

function wordsOf(rows: readonly number[], wordBits: number): number[] {
  return Array.from({ length: (ROWS * ROW_BITS) / wordBits }, (_, word) => {
    let value = 0;
    for (let bit = 0; bit < wordBits; bit++) {
      const place = word * wordBits + bit;
      const row = rows[Math.floor(place / ROW_BITS)] ?? 0;
      value |= ((row >> reversed(place % ROW_BITS)) & 1) << bit;
    }
    return value;
  });
}

/** The four bits of a place in a row, in the other order. */
function reversed(place: number): number {
  return ((place & 1) << 3) | ((place & 2) << 1) | ((place & 4) >> 1) | ((place & 8) >> 3);
}
