import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { rangeBytes } from "@/boards/links/axi";
import { fail } from "@/lib/common/errors";
import type { HostFolders } from "../../host";
import type { HostFiles } from "./host-files";

/** A device appears some moments after its overlay. */
const patience = { everyMs: 50, mostMs: 5000 } as const;

/**
 * The file that maps the registers: that of the UIO device of that name.
 *
 * @throws {AppError} `DEVICE_FAILED` when it does not appear, or maps too little.
 * @see Linux, Documentation/driver-api/uio-howto.rst: `/sys/class/uio/uioN/name` and `maps/map0/size`.
 */
export async function findUio(
  files: HostFiles,
  { sys, dev }: HostFolders,
  { name, signal }: { readonly name: string; readonly signal: AbortSignal },
): Promise<string> {
  const folder = path.join(sys, "class/uio");
  const end = performance.now() + patience.mostMs;
  for (;;) {
    const devices = await files.list(folder);
    for (const device of devices) {
      const at = path.join(folder, device);
      const found = await files.read(path.join(at, "name")).catch(() => "");
      if (found !== name) continue;
      const size = Number(await files.read(path.join(at, "maps/map0/size")).catch(() => "0"));
      if (size >= rangeBytes) return path.join(dev, device);
      throw fail(
        "DEVICE_FAILED",
        `The UIO device ${name} maps ${size} bytes; the registers need ${rangeBytes}.`,
        { hint: "Give its node of the device tree `reg` with a size of 0x1000 at least." },
      );
    }
    if (performance.now() > end) {
      throw fail("DEVICE_FAILED", `There is no UIO device named "${name}" on this host.`, {
        hint: 'Its node needs a driver: `compatible = "generic-uio"`, and uio_pdrv_genirq with of_id=generic-uio.',
      });
    }
    await sleep(patience.everyMs, undefined, { signal });
  }
}
