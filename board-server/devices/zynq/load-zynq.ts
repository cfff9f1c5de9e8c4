import { readFile } from "node:fs/promises";
import path from "node:path";
import { getBoardModel } from "@/boards";
import { rangeBytes } from "@/boards/links/axi";
import type { Manifest } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { logger } from "@/lib/server/logger";
import type { HostFolders } from "../../host";
import { type AxiBoard, loadAxi, openRegisters } from "../axi";
import type { CoreDevice } from "../device";
import { setClock } from "./clock";
import {
  findManager,
  loadFirmware,
  readState,
  takesFirmware,
  untilOperating,
} from "./fpga-manager";
import type { HostFiles } from "./host-files";
import { applyOverlay, overlayFolder, removeOverlay } from "./overlay";
import { toBin } from "./to-bin";
import { findUio } from "./uio";
import type { ZynqBoard } from "./zynq-board";

const openMs = 10_000;

/** A host's own FPGA, and what it is loaded with. */
export interface ZynqLoad {
  readonly board: ZynqBoard;
  readonly host: HostFolders;
  readonly files: HostFiles;
  readonly manifest: Manifest;
  /** Path of Vivado's bitstream. */
  readonly bitstream: string;
}

/** FPGAs of this process that are loaded: a second board must not take the same. */
const taken = new Set<string>();

/**
 * Loads the FPGA beside this host's processor by the kernel's FPGA manager, and opens the design's registers.
 *
 * @throws {AppError} `FIRMWARE_TRUNCATED`, `FIRMWARE_INVALID` and `FIRMWARE_MISMATCH` before anything is touched;
 *   `DEVICE_FAILED`, `DEVICE_BUSY`, `DEVICE_MISMATCH`, `LINK_FAILED`, `TOOL_MISSING`.
 */
export async function loadZynq(load: ZynqLoad): Promise<CoreDevice> {
  const { board, host, files, manifest } = load;
  const bin = toBin(
    new Uint8Array(await readFile(load.bitstream)),
    getBoardModel(board.boardModel),
  );
  const dtbo = board.overlay === undefined ? null : await readOverlay(board.overlay);
  const manager = await findManager(files, host.sys, board.manager);
  if (taken.has(manager)) {
    throw fail("DEVICE_BUSY", `Another board of this server has the FPGA of ${manager}.`, {
      hint: "Name each FPGA once in the file that names the boards.",
    });
  }
  taken.add(manager);
  const overlay = dtbo && { folder: overlayFolder(host.sys, `boardwalk-${board.key}`), dtbo };
  try {
    return await loadAxi(manifest, new ZynqFpga(load, { manager, bin, overlay }));
  } catch (error) {
    taken.delete(manager);
    throw error;
  }
}

interface Prepared {
  readonly manager: string;
  readonly bin: Uint8Array;
  readonly overlay: { readonly folder: string; readonly dtbo: Uint8Array } | null;
}

class ZynqFpga implements AxiBoard {
  readonly key: string;
  private readonly load: ZynqLoad;
  private readonly prepared: Prepared;

  constructor(load: ZynqLoad, prepared: Prepared) {
    this.key = load.board.key;
    this.load = load;
    this.prepared = prepared;
  }

  /** The clock comes first, so that the design never runs at one that it was not routed for. */
  async program(signal: AbortSignal): Promise<void> {
    const { board, files, manifest } = this.load;
    const { manager, bin, overlay } = this.prepared;
    const file = `boardwalk-${board.key}.bin`;
    const place = path.join(board.firmwareFolder, file);
    const byName = await takesFirmware(files, manager);
    if (!byName && !overlay) {
      throw fail("DEVICE_FAILED", "This kernel's FPGA manager takes no file by its name.", {
        hint: `Name an "overlay" whose fpga-region has firmware-name = "${file}": the kernel loads it with that.`,
      });
    }
    if (overlay) await removeOverlay(files, overlay.folder);
    if (board.clock !== undefined && manifest.clockHz !== undefined) {
      const hz = await setClock(files, board.clock, manifest.clockHz);
      logger().info({ board: board.key, hz }, "the fabric's clock is set");
    }
    try {
      await this.put(place, bin);
      if (byName) await loadFirmware(files, manager, { file, signal });
      if (overlay) await applyOverlay(files, overlay);
      if (!byName) await untilOperating(files, manager, signal);
    } finally {
      await files.remove(place);
    }
  }

  async open() {
    const { board, host, files } = this.load;
    const { python, uio, address } = board;
    const place =
      uio === undefined
        ? { path: path.join(host.dev, "mem"), offset: Number(address) }
        : {
            path: await findUio(files, host, { name: uio, signal: AbortSignal.timeout(openMs) }),
            offset: 0,
          };
    return await openRegisters({
      place: { kind: "mapped", size: rangeBytes, ...place },
      python,
      openMs,
    });
  }

  /** Registers of an FPGA without a design are never read: the bus would wait for an answer, and the processor with it. */
  async isThere(): Promise<void> {
    const { manager } = this.prepared;
    const state = await readState(this.load.files, manager);
    if (state === "operating") return;
    throw fail("DEVICE_FAILED", `The FPGA of ${path.basename(manager)} has no design: "${state}".`);
  }

  async release(): Promise<void> {
    const { manager, overlay } = this.prepared;
    if (overlay) await removeOverlay(this.load.files, overlay.folder);
    taken.delete(manager);
  }

  private async put(place: string, bin: Uint8Array): Promise<void> {
    try {
      await this.load.files.write(place, bin);
    } catch (cause) {
      throw fail("DEVICE_FAILED", `The bitstream cannot be written to ${place}.`, {
        hint: 'Allow the user of the board server to write there, or name another "firmwareFolder" where the kernel looks.',
        cause,
      });
    }
  }
}

async function readOverlay(file: string): Promise<Uint8Array> {
  try {
    return new Uint8Array(await readFile(file));
  } catch (cause) {
    throw fail("DEVICE_FAILED", `The overlay ${file} cannot be read.`, { cause });
  }
}
