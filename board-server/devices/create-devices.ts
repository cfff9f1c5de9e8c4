import type { Manifest } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { coreModel } from "./core-model";
import { type CpuOptions, defaultCpuOptions, loadCpu } from "./cpu";
import type { DeviceLoader } from "./device";
import { loadEmulation } from "./emulation";
import type { PluggedBoards } from "./plugged-boards";
import { loadSimulated, type SimulatedOptions } from "./simulated";

/** What the kinds of boards of this server are set to. */
export interface DeviceOptions {
  /** Real boards of this host. */
  readonly plugged?: PluggedBoards;
  readonly simulated?: SimulatedOptions;
  readonly cpu?: CpuOptions;
}

/** Every kind of board that this server can load, by the kind's name. */
export function createDevices({
  simulated = { corruptEvery: null },
  cpu = defaultCpuOptions,
  plugged,
}: DeviceOptions = {}): Readonly<Record<string, DeviceLoader>> {
  return {
    cpu: async ({ command, file }) => {
      const { manifest, slotId, slotEpoch, revisionId } = command;
      if (isEmulated(manifest)) return loadEmulation(manifest, await file("emulation"), cpu);
      return loadCpu(manifest, await file("model"), cpu, { slotId, slotEpoch, revisionId });
    },
    ...(plugged ? { physical: physical(plugged) } : {}),
    simulated: async ({ command: { manifest }, file }) => {
      if (isEmulated(manifest)) return loadEmulation(manifest, await file("emulation"), cpu);
      const role = manifest.simulate === "shell" ? "simulation-shell" : "simulation";
      return coreModel(manifest, await loadSimulated(manifest, await file(role), simulated));
    },
  };
}

/** Whether a program of its own answers for the artifact, wherever there is no board for it. */
const isEmulated = ({ files }: Manifest) => files.some(({ role }) => role === "emulation");

const physical =
  (plugged: PluggedBoards): DeviceLoader =>
  async (load) => {
    const { key } = load.command.board;
    const own = plugged.find(key);
    if (!own) throw fail("DEVICE_MISMATCH", `Board "${key}" is not on this server.`);
    return await own.load({ ...load, plans: plugged });
  };
