import { setTimeout as sleep } from "node:timers/promises";
import { Backoff } from "@/lib/common/backoff";
import type { Manifest } from "@/lib/common/contract";
import { type AppError, fail, isAppError, toAppError } from "@/lib/common/errors";
import { logger } from "@/lib/server/logger";
import type { KnownPlans } from "../board-kind";
import { nowNs } from "../clock";
import type { CoreDevice, LinkWatcher } from "../device";
import { BoardSession, type SessionOptions } from "./board-session";
import { program } from "./programmer";
import type { SerialBoard } from "./serial-board";
import { openSerialPort, type SerialPort } from "./serial-port";

/** After programming a board may take a moment to come back on the bus. */
const appear = { tries: 20, everyMs: 250 } as const;
/** A board that is not asked anything is asked for its name so often. */
const watchEveryMs = 2000;
const comeBack = { firstMs: 250, mostMs: 5000, loadAgainAfter: 2 } as const;

/** An open line, taken exclusively, and the conversation on it. */
interface Link {
  readonly port: SerialPort;
  readonly session: BoardSession;
}

interface LoadOptions {
  readonly manifest: Manifest;
  /** Path of the file that the programmer takes. */
  readonly bitstream: string;
  readonly board: SerialBoard;
  /** What is known of this and the other boards. */
  readonly plans: KnownPlans;
}

/** Programs a real board with a bitstream, and talks with the design over the board's serial line. */
export async function loadPhysical({
  manifest,
  bitstream,
  board,
  plans,
}: LoadOptions): Promise<CoreDevice> {
  const { core, clockHz, baud, planDigest } = manifest;
  if (!core || clockHz === undefined || baud === undefined) {
    throw fail("ARTIFACT_MISMATCH", "The artifact does not say how its board is spoken to.");
  }
  const options = { core, clockHz, baud, planDigest };
  const device = new PhysicalDevice({ board, plans, bitstream, options });
  await device.load();
  return device;
}

class PhysicalDevice implements CoreDevice {
  readonly simulated = false;

  private readonly board: SerialBoard;
  private readonly plans: KnownPlans;
  private readonly bitstream: string;
  private readonly options: SessionOptions;
  private link: Link | null = null;
  private watcher: LinkWatcher | null = null;
  private busyAtMs = 0;
  private readonly closed = new AbortController();
  private timer: NodeJS.Timeout | null = null;
  private isRecovering = false;
  private recovery: Promise<void> = Promise.resolve();

  constructor({
    board,
    plans,
    bitstream,
    options,
  }: Omit<LoadOptions, "manifest"> & { readonly options: SessionOptions }) {
    this.board = board;
    this.plans = plans;
    this.bitstream = bitstream;
    this.options = options;
  }

  /** @throws {AppError} `TOOL_MISSING`, `DEVICE_BUSY`, `DEVICE_FAILED`, `LINK_FAILED`, `DEVICE_MISMATCH` */
  async load(): Promise<void> {
    this.use(await this.program(await this.open()));
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
    await this.recovery;
    const { link } = this;
    this.link = null;
    await link?.port.close();
  }

  private async open(): Promise<Link> {
    const port = await openSerialPort(this.board.serialPort, this.options.baud);
    return { port, session: new BoardSession(port, this.options) };
  }

  /**
   * Programs the board whose line this is, unless another device answers there. The line stays taken from before it is
   * asked until it is closed, so that what was asked is what is programmed; who leaves the bus meanwhile is asked anew.
   */
  private async program(link: Link): Promise<Link> {
    const { board, plans, bitstream } = this;
    const { planDigest } = this.options;
    const { signal } = this.closed;
    let now = link;
    try {
      const found = await now.session.findIdentity();
      if (found) plans.requireOwn(board.key, found.planDigest, planDigest);
      await plans.notePlans(board.key, [...(found ? [found.planDigest] : []), planDigest]);
      if (!(await now.port.isCurrent())) throw this.gone();
      await program(board, bitstream);
      for (let tries = 1; ; tries++) {
        try {
          if (!(await now.port.isCurrent())) {
            await now.port.close();
            now = await this.open();
          }
          await now.session.identify();
          break;
        } catch (error) {
          if (tries === appear.tries) throw error;
          await sleep(appear.everyMs, undefined, { signal });
        }
      }
      await plans.confirmPlan(board.key, planDigest);
      return now;
    } catch (error) {
      await now.port.close();
      throw error;
    }
  }

  /** The board with the very design: found so, or programmed once more where it may be. */
  private async findAgain({ mayProgram }: { readonly mayProgram: boolean }): Promise<Link> {
    const link = await this.open();
    try {
      await link.session.identify();
      return link;
    } catch (error) {
      const isOther = isAppError(error) && error.reason === "DEVICE_MISMATCH";
      if (isOther || mayProgram) return await this.program(link);
      await link.port.close();
      throw error;
    }
  }

  private use(link: Link): void {
    const { port } = link;
    this.link = link;
    port.onClose(() => {
      if (this.link?.port === port) this.lose(this.gone());
    });
  }

  private gone(): AppError {
    return fail("LINK_FAILED", `The serial line of board ${this.board.key} is gone.`);
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
    const freed = link.port.close();
    // While it is being brought back, what fails is that attempt.
    if (this.isRecovering) return;
    this.isRecovering = true;
    this.recovery = freed.then(() => this.recover());
  }

  /** Tries until the board answers again with the very design, which is loaded once more if it has forgotten it. */
  private async recover(): Promise<void> {
    const { signal } = this.closed;
    const backoff = new Backoff(comeBack);
    for (let tries = 1; !signal.aborted; tries++) {
      await backoff.wait(signal);
      if (signal.aborted) return;
      try {
        this.use(await this.findAgain({ mayProgram: tries % comeBack.loadAgainAfter === 0 }));
        await this.watcher?.onBack();
      } catch (err) {
        const { link } = this;
        this.link = null;
        await link?.port.close();
        if (!signal.aborted) this.watcher?.onLost(toAppError(err));
      }
      if (this.link) {
        this.isRecovering = false;
        logger().info({ board: this.board.key, tries }, "a board is back");
        return;
      }
    }
  }
}
