import { type Range, trailingZeros, widthOf } from "../../integer/range";
import type { Network, Signal } from "./network";
import { adderWidth, isWiring, shifted } from "./network-builder";
import { operandForms } from "./operand-forms";
import type { Pipeline } from "./pipeline";

/** Logic that a network takes: tables with their carry chains, and flip-flops. */
export interface CellEstimate {
  readonly lut: number;
  readonly flipFlops: number;
}

/** How a family builds adders: what one of `width` bits takes, in tables of four inputs. */
interface AdderCost {
  readonly lut: (width: number, subtracts: boolean) => number;
  /** Whether one cell holds a table and a flip-flop of its own, so that cells are whichever is more. */
  readonly shared: boolean;
}

/**
 * Fitted to what Yosys 0.55 makes of each family: iCE40 has one bit of an adder in a cell and inverts a subtrahend in
 * others; ECP5 has two bits in a `CCU2C`, and nextpnr-ecp5 0.11 puts two more cells before every carry chain (21 sums of
 * 11 bits: 231 tables, 126 `CCU2C`, 527 cells placed); Gowin one bit in an `ALU`, with one more that begins the chain, and
 * a flip-flop that no logic of its own feeds takes a table to reach it (such sums: 249 tables and 241 `ALU`s mapped, 488
 * and 264 placed); Nexus is mapped without its carry chains.
 */
const costs: Readonly<Record<string, AdderCost>> = {
  ice40: { lut: (width, subtracts) => (subtracts ? 2 * width : width), shared: true },
  ecp5: { lut: (width) => (width === 0 ? 0 : 2 * Math.ceil(width / 2) + 2), shared: false },
  gowin: { lut: (width) => (width === 0 ? 0 : width + 1), shared: true },
  nexus: { lut: (width) => 2 * width, shared: false },
};
const usual = { lut: (width: number) => width + 1, shared: false } as const;

/** Estimates a network's cells on a family of parts before any tool runs. */
export function estimateCells(network: Network, pipeline: Pipeline, family: string): CellEstimate {
  const { signals } = network;
  const { delays } = pipeline;
  const cost = costs[family] ?? usual;
  const forms = operandForms(network, pipeline, family);
  const subtracts = (id: number) => forms.turned.get(id)?.fromTwin === false;
  let logic = 0;
  let flipFlops = 0;
  let packed = 0;
  for (const [id, signal] of signals.entries()) {
    const width = widthOf(signal);
    const registers = width * (delays[id] ?? 0);
    const own = logicOf(signal, signals, (width) => cost.lut(width, subtracts(id)));
    logic += own;
    flipFlops += registers;
    packed += Math.min(own, registers, width);
    if (!forms.twins.has(id)) continue;
    logic += width;
    flipFlops += width;
    packed += width;
  }
  return { lut: cost.shared ? logic + flipFlops - packed : logic, flipFlops };
}

function logicOf(
  signal: Signal,
  signals: readonly Signal[],
  adder: (width: number) => number,
): number {
  // Tables are counted where they are placed.
  if (signal.kind === "input" || signal.kind === "table") return 0;
  if (signal.kind === "sum") {
    const width = adderWidth(rangeAt(signals, signal.left), signal, signal);
    return width === 0 ? 0 : adder(width);
  }
  if (signal.kind === "offset") {
    const low = signal.negative || signal.constant === 0 ? 0 : trailingZeros(signal.constant);
    return adder(Math.max(0, widthOf(signal) - low));
  }
  const source = rangeAt(signals, signal.source);
  if (isWiring(signal, source)) return 0;
  // One table for each bit, and one for every four bits that must be equal above them.
  const above = widthOf(shifted(source, signal.drop, signal.constant)) - widthOf(signal);
  const lost = signal.toEven ? Math.ceil(signal.drop / 3) : 0;
  return widthOf(signal) + Math.ceil(Math.max(0, above - 2) / 4) + lost;
}

function rangeAt(signals: readonly Signal[], id: number): Range {
  const signal = signals[id];
  if (!signal) throw new RangeError(`There is no signal ${id}.`);
  return signal;
}
