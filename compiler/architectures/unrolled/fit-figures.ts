import { lackingOf } from "../../target/lacking";
import type { PartResources } from "../../target/part";
import { shellCells, shellResources } from "../../target/shell";
import { usableCells } from "../../target/usable-cells";
import type { Estimate, Lack } from "../architecture";
import { placeTables } from "./place-tables";
import type { UnrolledFigures } from "./unrolled-outline";

/** Logic cells that an unrolled design may take of a part. @param mostCells A further limit. */
export const usableOf = (part: PartResources, mostCells = Number.POSITIVE_INFINITY): number =>
  Math.min(mostCells, Math.floor(part.lut * usableCells));

/** What the shell leaves of a part's block RAM. */
export const ramFor = (inputs: number, part: PartResources) => ({
  blocks: part.bramBlocks - shellResources(inputs, part).bramBlocks,
  blockBits: part.bramBlockBits,
});

/**
 * Core and shell of an unrolled net on a part, if its cells and its flip-flops fit the usable share.
 *
 * @param tolerance How much more than is usable still counts as fitting.
 */
export function fitFigures(
  { figures, inputs }: { readonly figures: UnrolledFigures; readonly inputs: number },
  part: PartResources,
  { usable, tolerance = 1 }: { readonly usable: number; readonly tolerance?: number },
): Estimate | Lack {
  const tables = placeTables(figures.tables, ramFor(inputs, part));
  const lut = figures.lut + tables.lut + shellCells.lut;
  const flipFlops = figures.flipFlops + shellCells.flipFlops;
  const usableFlipFlops = Math.floor(part.ff * usableCells);
  if (lut > usable * tolerance) return lackOf("lut", lut, usable);
  if (flipFlops > usableFlipFlops * tolerance) return lackOf("ff", flipFlops, usableFlipFlops);
  const bramBlocks = tables.bramBlocks + shellCells.bramBlocks;
  return {
    fits: true,
    resources: { lut, flipFlops, bramBlocks, dsp: 0 },
    latencyCycles: figures.latencyCycles,
    lanes: null,
    ownMultipliers: false,
  };
}

function lackOf(id: "lut" | "ff", needed: number, usable: number): Lack {
  const lacking = lackingOf(id, needed, usable);
  const name = lacking.name.toLowerCase();
  return {
    fits: false,
    lack: `needs about ${needed} ${name} of ${usable} usable when unrolled`,
    lacking: [lacking],
  };
}
