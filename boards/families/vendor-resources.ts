import type { ResourceName } from "./family";

/** Rows of a report by a vendor's tool: no name of nextpnr's belongs to them. */
export const vendorResources: readonly ResourceName[] = [
  { id: "lut", name: "Logic cells", keys: [] },
  { id: "ff", name: "Flip-flops", keys: [] },
  { id: "bram", name: "Block RAM", keys: [] },
  { id: "dsp", name: "Multipliers", keys: [] },
];
