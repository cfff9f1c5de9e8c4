import type { EnginePreset } from "@/lib/common/contract";

/** Fewer bits of inputs are fewer adders, and fewer stages of them: the smallest adders are also the fastest. */
const firmware = { precision: "fastest" };

/**
 * hls4ml's options by what they are good for. Firmware of open tools reads the precision, a project for the vendor's tools the
 * bits, the strategy and the reuse factor; each leaves the other's alone.
 */
export const presets: readonly EnginePreset[] = [
  { id: "smallest", options: { ...firmware, width: 12, strategy: "Resource", reuseFactor: 4 } },
  { id: "balanced", options: { precision: "balanced", width: 14 } },
  { id: "fastest", options: { ...firmware, width: 12, strategy: "Latency" } },
];
