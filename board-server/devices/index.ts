import type { DeviceLoader } from "../slots/loader";
import { loadCpu } from "./cpu";

/** Every kind of board that this server can load, by the kind's name. */
export const devices: Readonly<Record<string, DeviceLoader>> = {
  cpu: async ({ command, file }) => loadCpu(command.manifest, await file("model")),
};
