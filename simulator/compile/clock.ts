import { fail } from "@/lib/common/errors";
import {
  type Bit,
  bitsParameter,
  type Cell,
  connection,
  flagParameter,
  type Netlist,
} from "./netlist";
import { registerCells } from "./registers";

export interface Clock {
  readonly name: string;
  readonly bit: number;
}

interface ClockUse {
  readonly cell: Cell;
  readonly bit: Bit | undefined;
  readonly rising: boolean;
}

/**
 * The design's one clock: the input port whose rising edge every register and memory port uses.
 *
 * @param wanted Name of the clock port, where the caller knows it.
 * @throws {AppError} `CELL_UNSUPPORTED` naming the cell that uses another clock, a falling edge or a gated clock.
 */
export function clockOf(
  netlist: Netlist,
  cells: readonly Cell[],
  wanted: string | undefined,
): Clock | undefined {
  const ports = new Map<Bit, string>();
  for (const { name, direction, bits } of netlist.ports) {
    const [bit] = bits;
    if (direction === "in" && bits.length === 1 && bit !== undefined) ports.set(bit, name);
  }
  let clock: Clock | undefined;
  for (const [port, name] of ports) {
    if (name === wanted && typeof port === "number") clock = { name, bit: port };
  }
  if (wanted !== undefined && !clock) {
    throw fail("NETLIST_INVALID", `The design has no one-bit input ${wanted} to be its clock.`);
  }
  for (const { cell, bit, rising } of cells.flatMap(clockUses)) {
    const where = `cell ${cell.name} (${cell.type})`;
    if (!rising) throw fail("CELL_UNSUPPORTED", `The ${where} uses the falling edge of its clock.`);
    const name = bit === undefined ? undefined : ports.get(bit);
    if (name === undefined || typeof bit !== "number") {
      throw fail("CELL_UNSUPPORTED", `The clock of ${where} is not an input port of the design.`);
    }
    clock ??= { name, bit };
    if (clock.bit !== bit) {
      throw fail(
        "CELL_UNSUPPORTED",
        `The ${where} uses clock ${name}; the design's is ${clock.name}.`,
      );
    }
  }
  return clock;
}

function clockUses(cell: Cell): ClockUse[] {
  if (registerCells.has(cell.type)) {
    const [bit] = connection(cell, "CLK", 1);
    return [{ cell, bit, rising: flagParameter(cell, "CLK_POLARITY") }];
  }
  if (cell.type !== "$mem_v2") return [];
  return (["RD", "WR"] as const).flatMap((kind) => {
    const clocks = connection(cell, `${kind}_CLK`);
    const enabled = bitsParameter(cell, `${kind}_CLK_ENABLE`, clocks.length);
    const polarity = bitsParameter(cell, `${kind}_CLK_POLARITY`, clocks.length);
    return clocks.flatMap((bit, index) =>
      enabled[index] === "1" ? [{ cell, bit, rising: polarity[index] === "1" }] : [],
    );
  });
}
