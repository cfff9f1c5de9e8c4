import { fail } from "@/lib/common/errors";
import {
  type Bit,
  bitsParameter,
  type Cell,
  connection,
  numberParameter,
  signedParameter,
} from "../netlist";

const maxBits = 2 ** 28;

export interface Port {
  readonly address: readonly Bit[];
  readonly data: readonly Bit[];
}

export interface WritePort extends Port {
  readonly enable: readonly Bit[];
}

/** A `$mem_v2` cell as its parameters and connections describe it. */
export interface MemoryCell {
  readonly cell: Cell;
  /** Bits of a word. */
  readonly width: number;
  /** Words. */
  readonly size: number;
  readonly addressBits: number;
  /** Address of the first word. */
  readonly offset: number;
  readonly reads: readonly Port[];
  readonly writes: readonly WritePort[];
}

/** Reads a `$mem_v2` cell. */
export function readMemoryCell(cell: Cell): MemoryCell {
  const width = numberParameter(cell, "WIDTH");
  const size = numberParameter(cell, "SIZE");
  const addressBits = numberParameter(cell, "ABITS");
  const offset = signedParameter(cell, "OFFSET");
  if (width * size > maxBits) {
    throw fail(
      "CELL_UNSUPPORTED",
      `Memory ${cell.name} has ${width * size} bits, over ${maxBits}.`,
    );
  }
  const reads = portsOf(cell, "RD", width, addressBits);
  const writes = portsOf(cell, "WR", width, addressBits).map((port, index) => ({
    ...port,
    enable: part(connection(cell, "WR_EN"), index, width),
  }));
  if (bitsParameter(cell, "WR_CLK_ENABLE", writes.length).includes("0")) {
    throw fail("CELL_UNSUPPORTED", `Memory ${cell.name} has a write port without a clock.`);
  }
  return { cell, width, size, addressBits, offset, reads, writes };
}

function portsOf(cell: Cell, kind: "RD" | "WR", width: number, addressBits: number): Port[] {
  const count = numberParameter(cell, `${kind}_PORTS`);
  const addresses = connection(cell, `${kind}_ADDR`, count * addressBits);
  const data = connection(cell, `${kind}_DATA`, count * width);
  return Array.from({ length: count }, (_, index) => ({
    address: part(addresses, index, addressBits),
    data: part(data, index, width),
  }));
}

/** What belongs to port `index` of values that are listed for all ports. */
export function part<T>(values: readonly T[], index: number, width: number): readonly T[] {
  return values.slice(index * width, (index + 1) * width);
}
