import { axiOffsets } from "../registers";

/** The register as the wrapper compares it: its word address, in ten bits. */
export const word = (name: keyof typeof axiOffsets) => `10'd${axiOffsets[name] / 4}`;
