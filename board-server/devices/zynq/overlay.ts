import path from "node:path";
import { fail } from "@/lib/common/errors";
import type { HostFiles } from "./host-files";

/** A description of what is in the FPGA, on top of the host's device tree. */
export interface Overlay {
  /** Its folder in configfs. */
  readonly folder: string;
  /** The file of the compiled overlay. */
  readonly dtbo: Uint8Array;
}

/** Where an overlay of that name is put. */
export const overlayFolder = (sys: string, name: string): string =>
  path.join(sys, "kernel/config/device-tree/overlays", name);

/**
 * Puts an overlay on the device tree: its devices appear.
 *
 * @throws {AppError} `DEVICE_FAILED`
 * @see linux-xlnx, Documentation/devicetree/configfs-overlays.txt: `dtbo` is written, `status` says `applied`.
 */
export async function applyOverlay(files: HostFiles, { folder, dtbo }: Overlay): Promise<void> {
  const failed = (why: string, cause?: unknown) =>
    fail("DEVICE_FAILED", `The device tree's overlay is not applied: ${why}.`, {
      hint: "The kernel needs CONFIG_OF_OVERLAY and CONFIG_OF_CONFIGFS, and configfs mounted at /sys/kernel/config; `dmesg` has more.",
      cause,
    });
  let status: string;
  try {
    await files.makeFolder(folder);
    await files.write(path.join(folder, "dtbo"), dtbo);
    status = await files.read(path.join(folder, "status"));
  } catch (cause) {
    await removeOverlay(files, folder);
    throw failed(cause instanceof Error ? cause.message : "it cannot be written", cause);
  }
  if (status === "applied") return;
  await removeOverlay(files, folder);
  throw failed(`its status is "${status}"`);
}

/** Takes an overlay away, and with it its devices; one that is not there is away. */
export async function removeOverlay(files: HostFiles, folder: string): Promise<void> {
  await files.removeFolder(folder).catch(() => {});
}
