import { type Bit, type Cell, flagParameter } from "./netlist";

/** Cells whose result bit depends on the same bit of its operands only. */
const bitwiseCells: ReadonlySet<string> = new Set([
  "$not",
  "$pos",
  "$buf",
  "$and",
  "$or",
  "$xor",
  "$xnor",
  "$mux",
  "$pmux",
  "$bwmux",
]);

/** The one-bit cells a bitwise cell consists of, made when asked for; undefined for other cells. */
export function splitBits(cell: Cell): (() => Cell[]) | undefined {
  if (!bitwiseCells.has(cell.type)) return undefined;
  return () => {
    const result = cell.connections.get("Y") ?? [];
    return result.map((bit, index) => {
      const connections = new Map<string, readonly Bit[]>();
      for (const [port, bits] of cell.connections) {
        connections.set(
          port,
          port === "Y" ? [bit] : operandBits(cell, port, bits, index, result.length),
        );
      }
      return { ...cell, name: `${cell.name}[${index}]`, connections };
    });
  };
}

function operandBits(
  cell: Cell,
  port: string,
  bits: readonly Bit[],
  index: number,
  width: number,
): readonly Bit[] {
  if (port === "S" && cell.type !== "$bwmux") return bits;
  if (port === "B" && cell.type === "$pmux") return bits.filter((_, at) => at % width === index);
  const sign = flagParameter(cell, `${port}_SIGNED`) ? bits.at(-1) : "0";
  return [bits[index] ?? sign ?? "0"];
}
