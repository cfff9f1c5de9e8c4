import type { BoardModel } from "@/boards";
import type { Report } from "@/lib/common/contract";

/** What a core takes of a part by the compiler's estimate; multipliers where both have any. */
export function expectedResources(
  estimate: { readonly lut: number; readonly bramBlocks: number; readonly dsp: number },
  { resources: { lut, bramBlocks, dsp } }: BoardModel["part"],
): Report["resources"] {
  return [
    { id: "lut", name: "Logic cells", used: estimate.lut, available: lut },
    { id: "bram", name: "Block RAM", used: estimate.bramBlocks, available: bramBlocks },
    ...(dsp > 0 ? [{ id: "dsp", name: "Multipliers", used: estimate.dsp, available: dsp }] : []),
  ];
}
