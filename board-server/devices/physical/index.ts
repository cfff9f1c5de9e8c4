import { setTimeout as sleep } from "node:timers/promises";
import type { Manifest } from "@/lib/common/contract";
import { type AppError, fail, isAppError, toAppError } from "@/lib/common/errors";
import { logger } from "@/lib/server/logger";
import { nowNs } from "../clock";
import type { CoreDevice, LinkWatcher } from "../device";
import { BoardSession, type SessionOptions } from "./board-session";
import type { PluggedBoard } from "./plugged-board";
import { program } from "./programmer";
import { openSerialPort, type SerialPort } from "./serial-port";

export { type PluggedBoard, readPluggedBoards } from "./plugged-board";
export { PluggedBoards } from "./plugged-boards";

/** After programming a board may take a moment to come back on the bus. */
const appear = { tries: 20, everyMs: 250 } as const;
/** A board that is not asked anything is asked for its name so often. */
const watchEveryMs = 2000;
const comeBack = { firstMs: 250, mostMs: 5000, loadAgainAfter: 2 } as const;

/** Programs a real board with a bitstream, and talks with the design over the board's serial line. */
export async function loadPhysical(
  manifest: Manifest,
  bitstream: string,
  board: PluggedBoard,
): Promise<CoreDevice> {
  const { core, clockHz, baud, planDigest } = manifest;
  if (!core || clockHz === undefined || baud === undefined) {
    throw fail("ARTIFACT_MISMATCH", "The artifact does not say how its board is spoken to.");
  }
  const device = new PhysicalDevice(board, bitstream, { core, clockHz, baud, planDigest });
  await device.load();
  return device;
}

class PhysicalDevice implements CoreDevice {
  readonly simulated = false;

  private readonly board: PluggedBoard;
  private readonly bitstream: string;
  private readonly options: SessionOptions;
  private link: { readonly port: SerialPort; readonly session: BoardSession } | null = null;
  private watcher: LinkWatcher | null = null;
  private busyAtMs = 0;
  private readonly closed = new AbortController();
  private timer: NodeJS.Timeout | null = null;

  constructor(board: PluggedBoard, bitstream: string, options: SessionOptions) {
    this.board = board;
    this.bitstream = bitstream;
    this.options = options;
  }

  /** @throws {AppError} `TOOL_MISSING`, `DEVICE_FAILED`, `LINK_FAILED`, `DEVICE_MISMATCH` */
  async load(): Promise<void> {
    await program(this.board, this.bitstream);
    for (let tries = 1; ; tries++) {
      try {
        await this.connect();
        return;
      } catch (error) {
        if (tries === appear.tries) throw error;
        await sleep(appear.everyMs, undefined, { signal: this.closed.signal });
      }
    }
  }

  async run(rows: Uint8Array, count: number) {
    const { inputBytes, outputBytes } = this.options.core;
    if (rows.length !== count * inputBytes) {
      throw fail("INFER_INVALID", `${rows.length} bytes are not ${count} rows of ${inputBytes}`);
    }
    const { link } = this;
    if (!link) throw fail("LINK_FAILED", `Board ${this.board.key} does not answer.`);
    const outputs = new Uint8Array(count * outputBytes);
    let cycles = 0;
    const start = nowNs();
    try {
      for (let row = 0; row < count; row++) {
        this.busyAtMs = performance.now();
        const answer = await link.session.infer(
          rows.subarray(row * inputBytes, (row + 1) * inputBytes),
        );
        outputs.set(answer.output, row * outputBytes);
        cycles += answer.cycles;
      }
    } catch (error) {
      this.lose(toAppError(error));
      throw error;
    }
    return { outputs, cycles, computeNs: nowNs() - start };
  }

  watch(watcher: LinkWatcher): void {
    this.watcher = watcher;
    this.timer = setInterval(() => void this.look(), watchEveryMs);
  }

  async close(): Promise<void> {
    this.closed.abort();
    if (this.timer) clearInterval(this.timer);
    const { link } = this;
    this.link = null;
    await link?.port.close();
  }

  private async connect(): Promise<void> {
    const port = await openSerialPort(this.board.serialPort, this.options.baud);
    const session = new BoardSession(port, this.options);
    try {
      await session.identify();
    } catch (error) {
      await port.close();
      throw error;
    }
    this.link = { port, session };
    port.onClose(() => {
      if (this.link?.port !== port) return;
      this.lose(fail("LINK_FAILED", `The serial line of board ${this.board.key} is gone.`));
    });
  }

  private async look(): Promise<void> {
    const { link } = this;
    if (!link || performance.now() - this.busyAtMs < watchEveryMs) return;
    try {
      await link.session.identify();
    } catch (error) {
      if (this.link === link) this.lose(toAppError(error));
    }
  }

  private lose(problem: AppError): void {
    const { link } = this;
    if (!link || this.closed.signal.aborted) return;
    this.link = null;
    logger().warn({ err: problem, board: this.board.key }, "a board is lost");
    this.watcher?.onLost(problem);
    void link.port.close().then(() => this.recover());
  }

  /** Tries until the board answers again with the very design, which is loaded once more if it has forgotten it. */
  private async recover(): Promise<void> {
    const { signal } = this.closed;
    let pauseMs: number = comeBack.firstMs;
    for (let tries = 1; !signal.aborted; tries++) {
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      pauseMs = Math.min(comeBack.mostMs, pauseMs * 2);
      try {
        await this.connect().catch(async (error: unknown) => {
          const isForgotten = isAppError(error) && error.reason === "DEVICE_MISMATCH";
          if (!isForgotten && tries % comeBack.loadAgainAfter !== 0) throw error;
          await program(this.board, this.bitstream);
          await this.connect();
        });
        await this.watcher?.onBack();
        logger().info({ board: this.board.key, tries }, "a board is back");
        return;
      } catch (err) {
        const link = this.link as { readonly port: SerialPort } | null;
        this.link = null;
        await link?.port.close();
        this.watcher?.onLost(toAppError(err));
      }
    }
  }
}
