import { readFile } from "node:fs/promises";
import { type BoardModel, getBoardModel } from "@/boards";
import { fitsPart, readBitstream } from "@/boards/bitstreams";
import { axiKernel } from "@/boards/links/axi";
import type { Manifest } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { showText } from "@/lib/common/text";
import { type AxiBoard, loadAxi, openRegisters } from "../axi";
import type { CoreDevice } from "../device";
import { type Card, examine, resetCard, xrtEnv } from "./xbutil";
import type { XrtBoard } from "./xrt-board";

/** XRT loads the container while the registers are opened, which takes seconds. */
const openMs = 60_000;

/** A card, and what it is loaded with. */
export interface XrtLoad {
  readonly board: XrtBoard;
  readonly manifest: Manifest;
  /** Path of the xclbin. */
  readonly xclbin: string;
}

/**
 * Loads an xclbin on a card by XRT, and opens the registers of the kernel in it.
 *
 * @throws {AppError} `FIRMWARE_TRUNCATED`, `FIRMWARE_INVALID` and `FIRMWARE_MISMATCH` before anything is touched;
 *   `TOOL_MISSING`, `DEVICE_FAILED`, `DEVICE_MISMATCH`, `LINK_FAILED`.
 */
export async function loadXrt({ board, manifest, xclbin }: XrtLoad): Promise<CoreDevice> {
  const model = getBoardModel(board.boardModel);
  requireXclbin(new Uint8Array(await readFile(xclbin)), model);
  const card = await findCard(board, model);
  return await loadAxi(manifest, new XrtCard({ board, card, xclbin }));
}

class XrtCard implements AxiBoard {
  readonly key: string;
  private readonly board: XrtBoard;
  private readonly card: Card;
  private readonly xclbin: string;
  private programmed = false;

  constructor({ board, card, xclbin }: { board: XrtBoard; card: Card; xclbin: string }) {
    this.key = board.key;
    this.board = board;
    this.card = card;
    this.xclbin = xclbin;
  }

  /** XRT passes over a container that is loaded already: a card that failed is reset first. */
  async program(): Promise<void> {
    if (this.programmed) await resetCard(this.board.xrt, this.card.device);
    this.programmed = true;
  }

  async open() {
    const { python, xrt, library } = this.board;
    return await openRegisters({
      place: {
        kind: "card",
        device: this.card.device,
        xclbin: this.xclbin,
        name: axiKernel,
        ...(library === undefined ? {} : { library }),
      },
      python,
      env: xrtEnv(xrt),
      openMs,
    });
  }

  /** A card that leaves the bus takes its registers with it: reading them says so. */
  async isThere(): Promise<void> {}
}

/** @throws {AppError} `FIRMWARE_INVALID`, `FIRMWARE_TRUNCATED`, `FIRMWARE_MISMATCH` */
function requireXclbin(bytes: Uint8Array, { name, part }: BoardModel): void {
  const header = readBitstream(bytes);
  if (header?.format !== "xclbin") {
    throw fail("FIRMWARE_INVALID", "The artifact's bitstream is no xclbin.", {
      hint: "A card is loaded with the .xclbin file that v++ of Vitis links.",
    });
  }
  if (fitsPart(header, part)) return;
  throw fail(
    "FIRMWARE_MISMATCH",
    `The xclbin is for the platform ${showText(header.partName ?? header.device)}, and not for ${name}.`,
    { hint: "Deploy on the card that it was linked for, or link it for this one." },
  );
}

/** The card that the entry names, or the only one of its model. @throws {AppError} `DEVICE_FAILED` */
async function findCard({ key, device, xrt }: XrtBoard, { name, part }: BoardModel): Promise<Card> {
  const cards = await examine(xrt);
  const ofModel = cards.filter(({ platform }) => isFor(platform, part.name));
  const found = device === undefined ? ofModel : ofModel.filter((card) => card.device === device);
  const [card] = found;
  const seen = cards.map((each) => `${each.device} (${each.platform || "no platform"})`).join(", ");
  if (!card) {
    throw fail(
      "DEVICE_FAILED",
      `There is no ${name}${device ? ` at ${device}` : ""} on this host: xbutil shows ${seen || "no card"}.`,
      { hint: "Flash the card's platform, and load the driver xocl." },
    );
  }
  if (found.length > 1) {
    throw fail("DEVICE_FAILED", `This host has several ${name}: ${seen}.`, {
      hint: `Name the one that ${key} is as "device" in the file that names the boards.`,
    });
  }
  if (!card.isReady) {
    throw fail("DEVICE_FAILED", `The card ${card.device} is not ready.`, {
      hint: "Its platform does not match its flash: `xbmgmt program` on the host of the card updates it.",
    });
  }
  return card;
}

/** `xilinx_u50_gen3x16_xdma_base_5` is on a card with an XCU50. */
const isFor = (platform: string, part: string): boolean =>
  part.toLowerCase().startsWith(`xc${platform.split(/[_:]/)[1] ?? ""}-`);
