import { blocksOf } from "../../target/block-ram";
import { loneRegisterCells } from "../../target/lone-registers";
import type { ArrayPart } from "../../target/part";
import { shellCells, shellResources } from "../../target/shell";
import type { CoreLayout } from "./core-layout";
import { hasUsualFormats } from "./formats";
import type { MapMemoryStyles } from "./memory-styles";

/** Of core and shell, before any tool runs. */
export interface MapEstimate extends MapMemoryStyles {
  readonly lut: number;
  readonly flipFlops: number;
  readonly bramBlocks: number;
  readonly dsp: number;
}

/**
 * Logic cells, fitted to designs placed on UP5K and HX8K: row in and out with the counter, each bit of sums on its way
 * through the requantiser, each bit of a lane (accumulator and drain register), a lane without a multiplier block, the
 * walk for each of its levels and for each bit of its registers.
 */
const cells = {
  fixed: 190,
  perBit: 9,
  perLaneBit: 2,
  perMultiplier: 190,
  perLevel: 14,
  perWalkBit: 2,
  perPoolLane: 8,
  /** Of each bit of a score, where bounds are any; of the rounding to even. */
  perBound: 3,
  toEven: 24,
  pair: 60,
} as const;
/** Fitted to cores mapped to ECP5: of each lane the accumulator and the drain register, a weight and a product. */
const flipFlops = { fixed: 360, perBit: 4, perLane: 24, perLaneBit: 2 } as const;
const bitsPerResult = 16;
/** Bits of read-only memory that one logic cell replaces. */
const romBitsPerCell = 12;
/** Cells of one 16-bit result kept in flip-flops and selected by number. */
const cellsPerResult = 36;

/** Estimates shell and core; small memories become cells where block RAM is short. */
export function estimateMaps(layout: CoreLayout, part: ArrayPart): MapEstimate {
  const {
    lanes,
    accumulatorWidth: width,
    depth,
    weights,
    constants,
    program,
    widths,
    tables,
  } = layout;
  const blocks = (words: number, bits: number) => blocksOf(words, bits, part.bramBlockBits);
  const around = shellResources(layout.inputs, part);
  const needed =
    around.bramBlocks +
    blocks(depth, 8) * (layout.hasPairs ? 2 : 1) +
    weights.reduce((sum, memory) => sum + blocks(memory.depth, memory.width), 0);
  const forConstants = blocks(constants.depth, constants.width);
  const forResult = blocks(layout.outputs, layout.resultBits);
  const result = needed + forResult <= part.bramBlocks ? "block" : "logic";
  const forTables = tables ? blocks(tables.image.depth, tables.image.width) : 0;
  const withResult = needed + (result === "block" ? forResult : 0);
  const tablesStyle = withResult + forTables <= part.bramBlocks ? "block" : "logic";
  const withTables = withResult + (tablesStyle === "block" ? forTables : 0);
  const constantsStyle = withTables + forConstants <= part.bramBlocks ? "block" : "logic";
  const multipliers = part.dsp > 0 ? 0 : lanes * (cells.perMultiplier + width);
  const levels = layout.walk.sweeps[0]?.counts.length ?? 0;
  const walkBits = Object.values(widths).reduce((sum, each) => sum + each, 0);
  const pools = layout.sweeps.some(({ nodes }) => nodes.pool !== null);
  const romBits =
    program.image.width * program.image.depth +
    (constantsStyle === "logic" ? constants.width * constants.depth : 0) +
    (tables && tablesStyle === "logic" ? tables.image.width * tables.image.depth : 0);
  const lut =
    around.lut +
    cells.fixed +
    cells.perBit * width +
    cells.perLaneBit * lanes * width +
    loneRegisterCells(part.costs, { lanes, accumulatorWidth: width }) +
    multipliers +
    cells.perLevel * levels +
    cells.perWalkBit * walkBits +
    (layout.hasPairs ? cells.pair : 0) +
    (pools ? cells.perPoolLane * lanes : 0) +
    (hasUsualFormats(layout) ? 0 : cells.perBound * Math.max(width, layout.resultBits)) +
    (layout.sweeps.some(({ clamp }) => clamp.rounding !== null && clamp.rounding !== undefined)
      ? cells.toEven
      : 0) +
    romBits / romBitsPerCell +
    (result === "logic" ? layout.outputs * cellsPerResult : 0);
  return {
    lut: Math.ceil(lut * part.costs.walk),
    flipFlops:
      shellCells.flipFlops +
      flipFlops.fixed +
      flipFlops.perBit * width +
      flipFlops.perLane * lanes +
      flipFlops.perLaneBit * lanes * width +
      walkBits +
      (result === "logic" ? layout.outputs * bitsPerResult : 0),
    bramBlocks: withTables + (constantsStyle === "block" ? forConstants : 0),
    dsp: part.dsp > 0 ? lanes : 0,
    constants: constantsStyle,
    tables: tablesStyle,
    result,
  };
}
