import type { FamilyCosts } from "@/boards";
import { type Range, trailingZeros, widthOf } from "../../integer/range";
import type { Network, Signal } from "./network";
import { adderWidth, isWiring, shifted, wiresBelow } from "./network-builder";
import { operandForms } from "./operand-forms";
import type { Pipeline } from "./pipeline";

/** Logic that a network takes: tables with their carry chains, and flip-flops. */
export interface CellEstimate {
  readonly lut: number;
  readonly flipFlops: number;
}

/** Tables of four inputs that an adder of `width` bits takes. */
function adderTables(width: number, subtracts: boolean, { adder }: FamilyCosts): number {
  if (width === 0) return 0;
  const bits = adder.bitsPerStep * Math.ceil(width / adder.bitsPerStep);
  const perBit = subtracts ? adder.tablesPerSubtractedBit : adder.tablesPerBit;
  return bits * perBit + adder.tablesAround;
}

/** Estimates a network's cells on a family of parts before any tool runs. */
export function estimateCells(
  network: Network,
  pipeline: Pipeline,
  costs: FamilyCosts,
): CellEstimate {
  const { signals } = network;
  const { delays } = pipeline;
  const forms = operandForms(network, pipeline, costs);
  const subtracts = (id: number) => forms.turned.get(id)?.fromTwin === false;
  let logic = 0;
  let flipFlops = 0;
  let packed = 0;
  for (const [id, signal] of signals.entries()) {
    const width = widthOf(signal);
    const registers = width * (delays[id] ?? 0);
    const own = logicOf(signal, signals, (width) => adderTables(width, subtracts(id), costs));
    logic += own;
    flipFlops += registers;
    packed += Math.min(own, registers, width);
    if (!forms.twins.has(id)) continue;
    logic += width;
    flipFlops += width;
    packed += width;
  }
  return { lut: costs.adder.sharesCells ? logic + flipFlops - packed : logic, flipFlops };
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
  if (signal.kind === "biased") {
    return adder(widthOf(signal) - wiresBelow(signal.shift, signal.constant));
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
