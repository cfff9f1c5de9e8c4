import { coreModel } from "../host/core-model";
import type { DeviceLoader } from "../slots/loader";
import { loadCpu } from "./cpu";
import { loadSimulated, type SimulatedOptions } from "./simulated";

/** Every kind of board that this server can load, by the kind's name. */
export function createDevices(
  simulated: SimulatedOptions = { corruptEvery: null },
): Readonly<Record<string, DeviceLoader>> {
  return {
    cpu: async ({ command, file }) => loadCpu(command.manifest, await file("model")),
    simulated: async ({ command: { manifest }, file }) => {
      const role = manifest.simulate === "shell" ? "simulation-shell" : "simulation";
      return coreModel(manifest, await loadSimulated(manifest, await file(role), simulated));
    },
  };
}
