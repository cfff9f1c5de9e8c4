import { readdir, readFile, readlink } from "node:fs/promises";
import { basename, join } from "node:path";
import { boardModelsOnUsb } from "@/boards";
import type { Sighting, Surroundings } from "@/lib/common/contract";

/** Where Linux shows its devices: `/sys` and `/dev`, elsewhere in tests. */
export interface HostFolders {
  readonly sys: string;
  readonly dev: string;
}

/**
 * What is on the sockets of this host: devices on USB that may be boards, and every serial line, by the names below
 * `/dev/serial/by-id` that stay with their devices. A host without USB has nothing.
 *
 * Source: sysfs-bus-usb of the Linux kernel.
 */
export async function lookAround({ sys, dev }: HostFolders): Promise<Surroundings> {
  const lines = await readLines(dev);
  const devices = join(sys, "bus/usb/devices");
  const found = await Promise.all(
    (await namesIn(devices)).map((name) => readDevice(devices, name, lines)),
  );
  return {
    sightings: found
      .flat()
      .sort((a, b) => a.key.localeCompare(b.key))
      .slice(0, 64),
    serialPorts: [...lines.values()].sort().slice(0, 64),
  };
}

/** One device; none for a hub, an interface, or what is no board. */
async function readDevice(
  devices: string,
  name: string,
  lines: ReadonlyMap<string, string>,
): Promise<Sighting[]> {
  const read = (file: string) =>
    readFile(join(devices, name, file), "utf8").then(
      (text) => text.trim(),
      () => "",
    );
  const [vendorId, productId, product, serialNumber] = await Promise.all(
    ["idVendor", "idProduct", "product", "serial"].map(read),
  );
  if (!vendorId || !productId) return [];
  const models = boardModelsOnUsb({ vendorId, productId, product: product ?? "" });
  const [likeliest] = models;
  if (!likeliest) return [];
  const line = await lineOf(join(devices, name), likeliest.usb?.serialInterface ?? null);
  return [
    {
      key: [vendorId, productId, serialNumber || name].join(":").slice(0, 200),
      product: (product || likeliest.name).slice(0, 200),
      serialNumber: serialNumber ? serialNumber.slice(0, 200) : null,
      serialPort: (line && lines.get(line)) ?? null,
      boardModels: models.map(({ id }) => id),
    },
  ];
}

/** The terminal of an interface of a device, such as `ttyUSB1`; of its first that has one where none is named. */
async function lineOf(device: string, wanted: number | null): Promise<string | null> {
  for (const name of (await namesIn(device)).sort()) {
    const folder = join(device, name);
    const number = await readFile(join(folder, "bInterfaceNumber"), "utf8").catch(() => null);
    if (number === null || (wanted !== null && Number.parseInt(number, 16) !== wanted)) continue;
    // Bridge chips have their terminal beside, modems below `tty`.
    const inside = [...(await namesIn(folder)), ...(await namesIn(join(folder, "tty")))];
    const line = inside.find((each) => /^tty[A-Z]+\d+$/.test(each));
    if (line) return line;
  }
  return null;
}

/** Serial lines by their terminals. */
async function readLines(dev: string): Promise<ReadonlyMap<string, string>> {
  const folder = join(dev, "serial/by-id");
  const lines = await Promise.all(
    (await namesIn(folder)).map(async (name) => {
      const path = join(folder, name);
      const target = await readlink(path).catch(() => null);
      return target === null ? [] : [[basename(target), path] as const];
    }),
  );
  return new Map(lines.flat());
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);
