import { coreModel } from "../host/core-model";
import type { DeviceLoader } from "../slots/loader";
import { type CpuOptions, loadCpu } from "./cpu";
import { loadSimulated, type SimulatedOptions } from "./simulated";

export interface DeviceOptions {
  readonly simulated?: SimulatedOptions;
  readonly cpu?: CpuOptions;
}

/** Every kind of board that this server can load, by the kind's name. */
export function createDevices({
  simulated = { corruptEvery: null },
  cpu,
}: DeviceOptions = {}): Readonly<Record<string, DeviceLoader>> {
  return {
    cpu: async ({ command, file }) => {
      const { manifest, slotId, slotEpoch, revisionId } = command;
      return loadCpu(manifest, await file("model"), cpu, { slotId, slotEpoch, revisionId });
    },
    simulated: async ({ command: { manifest }, file }) => {
      const role = manifest.simulate === "shell" ? "simulation-shell" : "simulation";
      return coreModel(manifest, await loadSimulated(manifest, await file(role), simulated));
    },
  };
}
