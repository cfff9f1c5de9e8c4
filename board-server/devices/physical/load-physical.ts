import { setTimeout as sleep } from "node:timers/promises";
import { getBoardModel, whyNoBlink } from "@/boards";
import type { Manifest } from "@/lib/common/contract";
import { type AppError, fail, isAppError } from "@/lib/common/errors";
import { blinkByTraffic } from "../blink";
import type { KnownPlans } from "../board-kind";
import { nowNs } from "../clock";
import { type BoardLine, type CoreDevice, type LinkWatcher, requireRows } from "../device";
import { KeptLink, type Link } from "../kept-link";
import { BoardSession, type SessionOptions } from "./board-session";
import { program } from "./programmer";
import type { SerialBoard } from "./serial-board";
import { openSerialPort, type SerialPort } from "./serial-port";

/** After programming a board may take a moment to come back on the bus. */
const appear = { tries: 20, everyMs: 250 } as const;

/** An open line, taken exclusively, and the conversation on it. */
interface SerialLink extends Link {
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

/** @throws {AppError} `BOARD_CANNOT` */
function requireLineLight(boardModel: string): void {
  const why = whyNoBlink(getBoardModel(boardModel));
  if (why === null) return;
  throw fail("BOARD_CANNOT", why, {
    hint: "Tell the boards apart by their serial numbers, or unplug one and see which goes offline.",
  });
}

class PhysicalDevice implements CoreDevice {
  readonly simulated = false;
  readonly line: BoardLine = {
    send: (bytes) =>
      this.kept.with(({ session }, touch) => {
        touch();
        return session.speak(bytes);
      }),
    listen: (onBytes) => {
      this.onStray = onBytes;
    },
  };

  private onStray: (bytes: Uint8Array) => void = () => {};
  private readonly board: SerialBoard;
  private readonly plans: KnownPlans;
  private readonly bitstream: string;
  private readonly options: SessionOptions;
  private readonly kept: KeptLink<SerialLink>;

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
    this.kept = new KeptLink(board.key, (again) => this.findAgain(again));
  }

  /** @throws {AppError} `TOOL_MISSING`, `DEVICE_BUSY`, `DEVICE_FAILED`, `LINK_FAILED`, `DEVICE_MISMATCH` */
  async load(): Promise<void> {
    this.kept.use(await this.program(await this.open()));
  }

  run(rows: Uint8Array, count: number) {
    const { inputBytes, outputBytes } = this.options.core;
    requireRows(rows, { count, inputBytes });
    return this.kept.with(async ({ session }, touch) => {
      const outputs = new Uint8Array(count * outputBytes);
      let cycles = 0;
      const start = nowNs();
      for (let row = 0; row < count; row++) {
        touch();
        const answer = await session.infer(rows.subarray(row * inputBytes, (row + 1) * inputBytes));
        outputs.set(answer.output, row * outputBytes);
        cycles += answer.cycles;
      }
      return { outputs, cycles, computeNs: nowNs() - start };
    });
  }

  watch(watcher: LinkWatcher): void {
    this.kept.watch(watcher);
  }

  /** The first light of a design blinks by itself; the second shows the line, so questions on it make it blink. */
  async blink(): Promise<void> {
    const { board, kept } = this;
    requireLineLight(board.boardModel);
    await blinkByTraffic(
      () =>
        kept.with(async ({ session }, touch) => {
          touch();
          await session.identify();
        }),
      kept.signal,
    );
  }

  close(): Promise<void> {
    return this.kept.close();
  }

  private async open(): Promise<SerialLink> {
    const port = await openSerialPort(this.board.serialPort, this.options.baud);
    const session = new BoardSession(port, this.options, (bytes) => this.onStray(bytes));
    const link = {
      port,
      session,
      identify: () => session.identify(),
      close: () => port.close(),
    };
    port.onClose(() => this.kept.lose(link, this.gone()));
    return link;
  }

  /**
   * Programs the board whose line this is, unless another device answers there. The line stays taken from before it is
   * asked until it is closed, so that what was asked is what is programmed; who leaves the bus meanwhile is asked anew.
   */
  private async program(link: SerialLink): Promise<SerialLink> {
    const { board, plans, bitstream } = this;
    const { planDigest } = this.options;
    const { signal } = this.kept;
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
  private async findAgain({ mayProgram }: { readonly mayProgram: boolean }): Promise<SerialLink> {
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

  private gone(): AppError {
    return fail("LINK_FAILED", `The serial line of board ${this.board.key} is gone.`);
  }
}
