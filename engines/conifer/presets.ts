import type { EnginePreset } from "@/lib/common/contract";

/** conifer's options by what they are good for. */
export const presets: readonly EnginePreset[] = [
  { id: "smallest", options: { width: 12, scoreWidth: 12, unroll: false } },
  { id: "balanced", options: { width: 14, scoreWidth: 14 } },
  { id: "fastest", options: { width: 12, scoreWidth: 12, unroll: true } },
];
