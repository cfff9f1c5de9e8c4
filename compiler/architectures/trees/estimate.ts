import type { ArrayPart } from "../../target/part";
import { shellCells, shellResources } from "../../target/shell";
import type { TreeOutline } from "./tree-outline";

/** Logic cells around the trees: the row's control, the cycle counter, the byte that goes out. */
const fixedCells = 60;
/** Comparing two bytes with a constant; features share it. */
const cellsPerWideLimit = 16;
/** A four-input table is one cell; a function of more inputs is made of several. */
const cellsPerTable = [1, 1, 1, 1, 1, 4, 9.5] as const;
/** Whether a row gets to a chunk of a deep tree; and a bit of what it adds, two chunks in a cell. */
const cellsPerChunk = 3;
const cellsPerJoin = 0.5;
/** Cells that choose a leaf's number. */
const cellsPerLeaf = 0.8;

/** Of the row's control and the cycle counter. */
const fixedFlipFlops = 40;

/** Of core and shell, before any tool runs. */
export interface TreeEstimate {
  readonly lut: number;
  readonly flipFlops: number;
  readonly bramBlocks: number;
  readonly dsp: 0;
}

/** Logic cells of a tree core, before any tool runs; fitted to designs placed on HX8K. */
function estimateTreeCells(outline: TreeOutline): number {
  const { inputBytes, outputBytes, digits, wideLimits, comparisons, leaves, tables, adderBits } =
    outline;
  return (
    fixedCells +
    inputBytes +
    4 * outputBytes +
    digits +
    wideLimits * cellsPerWideLimit +
    comparisons +
    leaves * cellsPerLeaf +
    outline.chunks * cellsPerChunk +
    outline.joins * cellsPerJoin +
    tables.reduce((sum, count, inputs) => sum + count * (cellsPerTable[inputs] ?? inputs), 0) +
    adderBits
  );
}

/** Core and shell of an ensemble on a part. */
export function estimateTrees(outline: TreeOutline, part: ArrayPart): TreeEstimate {
  const shell = shellResources(outline.inputBytes, part);
  const { inputBytes, digits, wideLimits, comparisons, leafBits, adderBits } = outline;
  return {
    lut: Math.ceil((shell.lut + estimateTreeCells(outline)) * part.costs.trees),
    // Each step of the pipeline ends in registers: digits, comparisons, leaves, sums.
    flipFlops:
      shellCells.flipFlops +
      fixedFlipFlops +
      inputBytes +
      digits +
      2 * wideLimits +
      comparisons +
      leafBits +
      outline.chunks +
      adderBits,
    bramBlocks: shell.bramBlocks,
    dsp: 0,
  };
}
