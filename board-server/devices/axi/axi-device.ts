import type { Manifest } from "@/lib/common/contract";
import { fail, isAppError } from "@/lib/common/errors";
import { type CoreDevice, type LinkWatcher, requireRows } from "../device";
import { KeptLink } from "../kept-link";
import { type AxiDesign, AxiSession } from "./axi-session";
import type { Registers } from "./registers";

/** How a board is programmed and its registers are opened. */
export interface AxiBoard {
  readonly key: string;
  /** Puts the design on the board. What is refused before that leaves the board as it was. */
  program(signal: AbortSignal): Promise<void>;
  /** Opens the registers of what was put on it. */
  open(): Promise<Registers>;
  /** @throws {AppError} `DEVICE_FAILED` when the host no longer sees the board. */
  isThere(): Promise<void>;
  /** Frees what loading took. */
  release?(): Promise<void>;
}

/**
 * Loads a design on a board whose registers are read, and asks it who it is.
 *
 * @throws {AppError} what the board throws; `DEVICE_MISMATCH`, `LINK_FAILED`, `ARTIFACT_MISMATCH`.
 */
export async function loadAxi(
  { core, clockHz, planDigest }: Manifest,
  board: AxiBoard,
): Promise<CoreDevice> {
  if (!core || clockHz === undefined) {
    throw fail("ARTIFACT_MISMATCH", "The artifact does not say how its board is spoken to.");
  }
  const device = new AxiDevice(board, { core, clockHz, planDigest });
  try {
    await device.load();
    return device;
  } catch (error) {
    await device.close();
    throw error;
  }
}

class AxiDevice implements CoreDevice {
  readonly simulated = false;

  private readonly board: AxiBoard;
  private readonly design: AxiDesign;
  private readonly kept: KeptLink<AxiSession>;

  constructor(board: AxiBoard, design: AxiDesign) {
    this.board = board;
    this.design = design;
    this.kept = new KeptLink(board.key, (again) => this.findAgain(again));
  }

  async load(): Promise<void> {
    this.kept.use(await this.program());
  }

  run(rows: Uint8Array, count: number) {
    requireRows(rows, { count, inputBytes: this.design.core.inputBytes });
    return this.kept.with((session, touch) => {
      touch();
      return session.run(rows, count);
    });
  }

  watch(watcher: LinkWatcher): void {
    this.kept.watch(watcher);
  }

  async close(): Promise<void> {
    await this.kept.close();
    await this.board.release?.();
  }

  private async program(): Promise<AxiSession> {
    await this.board.program(this.kept.signal);
    return await this.connect();
  }

  /** A core that hangs still says who it is: where the board may be programmed, it is. */
  private async findAgain({ mayProgram }: { readonly mayProgram: boolean }): Promise<AxiSession> {
    if (mayProgram) return await this.program();
    try {
      return await this.connect();
    } catch (error) {
      const isOther = isAppError(error) && error.reason === "DEVICE_MISMATCH";
      if (isOther) return await this.program();
      throw error;
    }
  }

  private async connect(): Promise<AxiSession> {
    await this.board.isThere();
    const session = new AxiSession(await this.board.open(), this.design, () =>
      this.board.isThere(),
    );
    try {
      await session.identify();
      await session.reset();
      return session;
    } catch (error) {
      await session.close();
      throw error;
    }
  }
}
