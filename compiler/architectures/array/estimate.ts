import { blocksOf } from "../../target/block-ram";
import { loneRegisterCells } from "../../target/lone-registers";
import type { ArrayPart } from "../../target/part";
import { shellCells, shellResources } from "../../target/shell";
import { type LaneMultipliers, laneMultipliers, multipliersOf } from "./multipliers";
import type { Schedule } from "./schedule";

/** What a core would take of the part, before any tool runs. */
export interface ResourceEstimate {
  readonly lut: number;
  readonly flipFlops: number;
  readonly bramBlocks: number;
  readonly dsp: number;
  /** The small memories that became logic cells because block RAM was short. */
  readonly constants: "block" | "logic";
  readonly result: "block" | "logic";
  readonly multipliers: LaneMultipliers;
}

/**
 * Logic cells, fitted to placed designs: fixed part, per accumulator bit. What a lane takes beside them (adder and drain
 * register for each bit, a multiplier without a block) is the family's.
 */
const cells = { fixed: 80, perBit: 9 } as const;
/** Fitted to cores mapped to ECP5: of each lane the accumulator and the drain register, a weight and a product. */
const flipFlops = { fixed: 180, perBit: 4, perLane: 24, perLaneBit: 2 } as const;
const bitsPerResult = 16;
/** Bits of read-only memory that one logic cell replaces, its share of the address decoding counted. */
const romBitsPerCell = 8;
/** Cells of one 16-bit result kept in flip-flops and selected by number. */
const cellsPerResult = 36;
const programBits = 28;

/** Estimates shell and core before any tool runs. @param accumulatorWidth Bits of the accumulators. */
export function estimateResources(
  schedule: Schedule,
  accumulatorWidth: number,
  part: ArrayPart,
): ResourceEstimate {
  const { lanes, layers, weightRows } = schedule;
  const outputs = layers.at(-1)?.outputSize ?? 0;
  const inputs = layers[0]?.inputSize ?? 0;
  const constantWords = layers.reduce((sum, { outputSize }) => sum + outputSize, 0);
  const constantBits = accumulatorWidth + 4;
  const blocks = (depth: number, width: number) => blocksOf(depth, width, part.bramBlockBits);

  const pairs = Math.floor(lanes / 2);
  const weights = pairs * blocks(weightRows, 16) + (lanes % 2) * blocks(weightRows, 8);
  const around = shellResources(inputs, part);
  const tables = blocks(tableWords(schedule), 8);
  const needed =
    around.bramBlocks + blocks(schedule.evenRegion + schedule.oddRegion, 8) + weights + tables;
  const forConstants = blocks(constantWords, constantBits);
  const forResult = blocks(outputs, 16);
  const result = needed + forResult <= part.bramBlocks ? "block" : "logic";
  const withResult = needed + (result === "block" ? forResult : 0);
  const constants = withResult + forConstants <= part.bramBlocks ? "block" : "logic";

  const multipliers = laneMultipliers(lanes, multipliersOf(part));
  const inCells = part.dsp === 0 ? lanes : multipliers.inCells;
  const inBlocks = lanes - inCells;
  const dsp = multipliers.paired ? Math.ceil(inBlocks / 2) : inBlocks;
  const logicBits =
    schedule.groups.length * programBits +
    (constants === "logic" ? constantWords * constantBits : 0);
  const { lane } = part.costs;
  const lut =
    around.lut +
    cells.fixed +
    cells.perBit * accumulatorWidth +
    lane.perBit * lanes * accumulatorWidth +
    loneRegisterCells(part.costs, { lanes, accumulatorWidth }) +
    inCells * lane.perMultiplier +
    logicBits / romBitsPerCell +
    (result === "logic" ? outputs * cellsPerResult : 0);
  return {
    lut: Math.ceil(lut),
    flipFlops:
      shellCells.flipFlops +
      flipFlops.fixed +
      flipFlops.perBit * accumulatorWidth +
      flipFlops.perLane * lanes +
      flipFlops.perLaneBit * lanes * accumulatorWidth +
      (result === "logic" ? outputs * bitsPerResult : 0),
    bramBlocks: withResult + (constants === "block" ? forConstants : 0),
    dsp,
    constants,
    result,
    multipliers,
  };
}

/** Entries of all distinct tables. */
function tableWords({ layers }: Schedule): number {
  const images = new Map(layers.flatMap(({ table }) => (table ? [[table.image, table]] : [])));
  return [...images.values()].reduce((sum, { inputWidth }) => sum + 2 ** inputWidth, 0);
}
