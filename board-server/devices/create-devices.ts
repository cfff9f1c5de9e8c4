import { fail } from "@/lib/common/errors";
import { coreModel } from "./core-model";
import { type CpuOptions, loadCpu } from "./cpu";
import type { DeviceLoader } from "./device";
import { loadPhysical, type PluggedBoards } from "./physical";
import { loadSimulated, type SimulatedOptions } from "./simulated";

/** What the kinds of boards of this server are set to. */
export interface DeviceOptions {
  /** Real boards on cables of this host. */
  readonly plugged?: PluggedBoards;
  readonly simulated?: SimulatedOptions;
  readonly cpu?: CpuOptions;
}

/** Every kind of board that this server can load, by the kind's name. */
export function createDevices({
  simulated = { corruptEvery: null },
  cpu,
  plugged,
}: DeviceOptions = {}): Readonly<Record<string, DeviceLoader>> {
  return {
    cpu: async ({ command, file }) => {
      const { manifest, slotId, slotEpoch, revisionId } = command;
      return loadCpu(manifest, await file("model"), cpu, { slotId, slotEpoch, revisionId });
    },
    ...(plugged ? { physical: physical(plugged) } : {}),
    simulated: async ({ command: { manifest }, file }) => {
      const role = manifest.simulate === "shell" ? "simulation-shell" : "simulation";
      return coreModel(manifest, await loadSimulated(manifest, await file(role), simulated));
    },
  };
}

const physical =
  (plugged: PluggedBoards): DeviceLoader =>
  async ({ command: { manifest, board }, file }) => {
    if (!manifest.files.some(({ role }) => role === "bitstream")) {
      throw fail(
        "ARTIFACT_MISMATCH",
        "This artifact has a project for a vendor's tool, and no bitstream.",
        {
          hint: "Install the tool where the build worker runs, then build again.",
        },
      );
    }
    const own = plugged.find(board.key);
    if (!own) throw fail("DEVICE_MISMATCH", `Board "${board.key}" is not on this server.`);
    const bitstream = await file("bitstream");
    return coreModel(
      manifest,
      await loadPhysical({ manifest, bitstream, board: own, boards: plugged }),
    );
  };
