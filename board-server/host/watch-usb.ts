import type { Surroundings } from "@/lib/common/contract";
import { logger } from "@/lib/server/logger";
import { type HostFolders, lookAround } from "./usb";

/** Sysfs rings no bell without native code; a look takes about a millisecond. */
const everyMs = 3000;

/** What is on the host's sockets now. */
export interface UsbWatch {
  readonly current: Surroundings;
  close(): void;
}

/** Looks at the host's sockets again and again, and says when something came or went. */
export async function watchUsb(host: HostFolders, onChange: () => void): Promise<UsbWatch> {
  let current = await lookAround(host);
  let looking = false;
  const timer = setInterval(async () => {
    if (looking) return;
    looking = true;
    const next = await lookAround(host).finally(() => {
      looking = false;
    });
    if (JSON.stringify(next) === JSON.stringify(current)) return;
    current = next;
    logger().info({ devices: next.sightings.map(({ key }) => key) }, "USB has changed");
    onChange();
  }, everyMs);
  timer.unref();
  return {
    get current() {
      return current;
    },
    close: () => clearInterval(timer),
  };
}
