import type { Manifest } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import type { LoadCommand } from "@/lib/server/board-protocol";
import { coreModel } from "./core-model";
import { type CpuOptions, defaultCpuOptions, loadCpu } from "./cpu";
import type { DeviceLoader } from "./device";
import { loadEmulation } from "./emulation";
import type { PluggedBoards } from "./plugged-boards";
import { loadSimulated, type SimulatedOptions } from "./simulated";
import type { SlotPlace } from "./slot-place";

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
      const { manifest } = command;
      if (isEmulated(manifest)) return loadEmulation(manifest, await file("emulation"), cpu);
      return loadCpu(manifest, await file("model"), cpu, placeOf(command));
    },
    ...(plugged ? { physical: physical(plugged) } : {}),
    simulated: async ({ command, file }) => {
      const { manifest } = command;
      if (isEmulated(manifest)) return loadEmulation(manifest, await file("emulation"), cpu);
      const role = manifest.simulate === "shell" ? "simulation-shell" : "simulation";
      const path = await file(role);
      return coreModel(manifest, await loadSimulated(manifest, path, simulated, placeOf(command)));
    },
  };
}

/** Whether a program of its own answers for the artifact, wherever there is no board for it. */
const isEmulated = ({ files }: Manifest) => files.some(({ role }) => role === "emulation");

const placeOf = ({ slotId, slotEpoch, revisionId }: LoadCommand): SlotPlace => ({
  slotId,
  slotEpoch,
  revisionId,
});

const physical =
  (plugged: PluggedBoards): DeviceLoader =>
  async (load) => {
    const { key } = load.command.board;
    const own = plugged.find(key);
    if (!own) throw fail("DEVICE_MISMATCH", `Board "${key}" is not on this server.`);
    return await own.load({ ...load, plans: plugged });
  };
