import type { EnginePreset } from "@/lib/common/contract";

/** A connection that is left out saves cells and cycles alike: the smallest machine is also the fastest. */
const few = { dataType: "fps16f8", prune: 0.1 };

/** BondMachine's options by what they are good for. */
export const presets: readonly EnginePreset[] = [
  { id: "smallest", options: few },
  { id: "balanced", options: { dataType: "auto", prune: 0.02 } },
  { id: "fastest", options: few },
];
