import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type HostFiles, hostFiles } from "@/board-server/devices/zynq/host-files";
import { type FakeFabric, makeFakeFabric } from "./fake-fabric";

/** The kernel of a Zynq that is none, with the folders that it shows. */
export interface FakeZynq {
  readonly sys: string;
  readonly dev: string;
  readonly firmwareFolder: string;
  /** A fake Python, through which a mapped file leads to the simulated design. */
  readonly python: string;
  /** The files of the host, of which some do things. */
  readonly files: HostFiles;
  readonly fabric: FakeFabric;
  /** What was loaded, byte for byte, and by which flags. */
  readonly loads: { readonly bytes: Buffer; readonly flags: string }[];
  /** What the kernel does with the next load: one of its error numbers, or a state that stays. */
  fails: { readonly code?: string; readonly state: string } | null;
  state(): string;
  setState(state: string): void;
  /** Takes the driver away, with its folder in sysfs. */
  unload(): void;
  reload(): void;
  close(): Promise<void>;
}

export interface FakeZynqOptions {
  readonly folder: string;
  /** The design that a bitstream holds. */
  readonly designOf: (bin: Uint8Array) => Uint8Array | "foreign";
  /** A kernel without AMD's changes has no file to write a name to. */
  readonly mainline?: boolean;
}

const systemError = (code: string): Error => Object.assign(new Error(code), { code });

/**
 * Makes a Zynq. Its kernel takes what the real one takes: words turned round, with a sync word at the place of a word.
 *
 * @see Linux, drivers/fpga/zynq-fpga.c, and Documentation/ABI/testing/sysfs-class-fpga-manager
 */
export async function makeFakeZynq(options: FakeZynqOptions): Promise<FakeZynq> {
  const { folder, designOf, mainline = false } = options;
  const [sys, dev, firmwareFolder] = ["sys", "dev", "firmware"].map((name) => join(folder, name));
  if (!sys || !dev || !firmwareFolder) throw new Error("no folders");
  const manager = join(sys, "class/fpga_manager/fpga0");
  const put = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const fabric = await makeFakeFabric(join(folder, "fabric"));
  const loads: FakeZynq["loads"] = [];

  const state = () => readFileSync(join(manager, "state"), "utf8").trim();
  const setState = (text: string) => put(join(manager, "state"), `${text}\n`);
  const loadFile = (name: string): void => {
    const { fails } = zynq;
    if (fails) {
      setState(fails.state);
      if (fails.code) throw systemError(fails.code);
      return;
    }
    const file = join(firmwareFolder, name);
    if (!existsSync(file)) {
      setState("firmware request error");
      throw systemError("ENOENT");
    }
    const bytes = readFileSync(file);
    const sync = [0x66, 0x55, 0x99, 0xaa];
    const words = Array.from({ length: bytes.length / 4 }, (_, word) => 4 * word);
    if (!words.some((at) => sync.every((byte, index) => bytes[at + index] === byte))) {
      setState("write init error");
      throw systemError("EINVAL");
    }
    loads.push({ bytes, flags: mainline ? "" : readFileSync(join(manager, "flags"), "utf8") });
    fabric.load(designOf(bytes));
    setState("operating");
  };

  /** An overlay makes its device appear; on a kernel without AMD's changes it loads the FPGA, too. */
  const applied = (overlay: string, dtbo: Uint8Array): void => {
    const text = Buffer.from(dtbo).toString();
    if (!text.includes("boardwalk")) {
      writeFileSync(join(overlay, "status"), "unapplied\n");
      return;
    }
    const [, name] = /firmware-name=(\S+)/.exec(text) ?? [];
    if (name) loadFile(name);
    put(join(sys, "class/uio/uio3/name"), "boardwalk\n");
    put(join(sys, "class/uio/uio3/maps/map0/size"), "0x0000000000001000\n");
    put(join(dev, "uio3"), fabric.socket);
    writeFileSync(join(overlay, "status"), "applied\n");
  };

  const files: HostFiles = {
    ...hostFiles,
    async write(path, content) {
      if (path === join(manager, "firmware")) return loadFile(String(content));
      if (path.startsWith(manager) && !existsSync(path)) throw systemError("EACCES");
      await hostFiles.write(path, content);
      if (path.endsWith("/dtbo")) applied(dirname(path), Buffer.from(content));
    },
    async removeFolder(path) {
      if (!existsSync(path)) throw systemError("ENOENT");
      rmSync(path, { recursive: true });
      rmSync(join(sys, "class/uio/uio3"), { recursive: true, force: true });
    },
  };

  const zynq: FakeZynq = {
    sys,
    dev,
    firmwareFolder,
    python: resolve("tests/board-server/support/fake-python.py"),
    files,
    fabric,
    loads,
    fails: null,
    state,
    setState,
    unload: () => renameSync(manager, join(folder, "unloaded")),
    reload: () => renameSync(join(folder, "unloaded"), manager),
    close: () => fabric.close(),
  };
  put(join(manager, "name"), "Xilinx Zynq FPGA Manager\n");
  setState("power up");
  for (const name of mainline ? [] : ["flags", "firmware"]) put(join(manager, name), "");
  mkdirSync(join(sys, "kernel/config/device-tree/overlays"), { recursive: true });
  put(join(sys, "class/uio/uio0/name"), "registers\n");
  put(join(sys, "class/uio/uio0/maps/map0/size"), "0x0000000000010000\n");
  put(join(dev, "uio0"), fabric.socket);
  put(join(dev, "mem"), fabric.socket);
  mkdirSync(firmwareFolder);
  return zynq;
}
