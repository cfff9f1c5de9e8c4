import type { EnginePreset } from "@/lib/common/contract";

/** The built-in compiler's options by what they are good for. */
export const presets: readonly EnginePreset[] = [
  { id: "smallest", options: { precision: "smallest", architecture: "array", lanes: 1 } },
  { id: "balanced", options: { precision: "balanced" } },
  { id: "fastest", options: { precision: "fastest" } },
];
