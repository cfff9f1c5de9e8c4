import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HostFolders } from "@/board-server/host/usb";

export interface FakeUsbDevice {
  /** The socket: `1-1.2`. */
  readonly socket: string;
  readonly vendorId: string;
  readonly productId: string;
  readonly product?: string;
  readonly serial?: string;
  /** Terminals by interface; `modem` ones lie below `tty`, as the kernel lays them. */
  readonly lines?: readonly {
    readonly interface: number;
    readonly tty: string;
    readonly modem?: true;
  }[];
}

/** Folders like the kernel's `/sys` and `/dev`, in which devices can be plugged in and pulled. */
export function makeFakeUsb(folder: string) {
  const host: HostFolders = { sys: join(folder, "sys"), dev: join(folder, "dev") };
  const devices = join(host.sys, "bus/usb/devices");
  const byId = join(host.dev, "serial/by-id");
  for (const each of [devices, byId]) mkdirSync(each, { recursive: true });
  return {
    host,
    plugIn({ socket, vendorId, productId, product, serial, lines = [] }: FakeUsbDevice): void {
      const device = join(devices, socket);
      mkdirSync(device);
      const texts = { idVendor: vendorId, idProduct: productId, product, serial };
      for (const [file, text] of Object.entries(texts))
        if (text !== undefined) writeFileSync(join(device, file), `${text}\n`);
      for (const { interface: number, tty, modem } of lines) {
        const own = join(device, `${socket}:1.${number}`);
        mkdirSync(join(own, modem ? "tty" : "", tty), { recursive: true });
        writeFileSync(join(own, "bInterfaceNumber"), `${String(number).padStart(2, "0")}\n`);
      }
    },
    pull: (socket: string): void => rmSync(join(devices, socket), { recursive: true }),
    /** A serial line by its lasting name; `target` is its terminal. */
    addLine(name: string, target: string): string {
      symlinkSync(target, join(byId, name));
      return join(byId, name);
    },
  };
}
