import { Backoff } from "@/lib/common/backoff";
import { type AppError, fail, toAppError } from "@/lib/common/errors";
import { logger } from "@/lib/server/logger";
import type { LinkWatcher } from "./device";

/** A board that is not asked anything is asked for its name so often. */
const watchEveryMs = 2000;
const comeBack = { firstMs: 250, mostMs: 5000, loadAgainAfter: 2 } as const;

/** A conversation with a board, open. */
export interface Link {
  /** Asks the design what it is. @throws {AppError} when it is not the one that was loaded, or does not answer. */
  identify(): Promise<void>;
  close(): Promise<void>;
}

/** The link of a board that can be lost: it is watched, and brought back for as long as the board is loaded. */
export class KeptLink<L extends Link> {
  private readonly key: string;
  private readonly findAgain: (options: { readonly mayProgram: boolean }) => Promise<L>;
  private link: L | null = null;
  private watcher: LinkWatcher | null = null;
  private busyAtMs = 0;
  private readonly closed = new AbortController();
  private timer: NodeJS.Timeout | null = null;
  private isRecovering = false;
  private recovery: Promise<void> = Promise.resolve();

  /** @param findAgain Opens a link to the very design: found so, or programmed once more where it may be. */
  constructor(key: string, findAgain: KeptLink<L>["findAgain"]) {
    this.key = key;
    this.findAgain = findAgain;
  }

  /** Fires when the board is given up. */
  get signal(): AbortSignal {
    return this.closed.signal;
  }

  use(link: L): void {
    this.link = link;
  }

  /** Does something with the board. What fails loses the link. @throws {AppError} `LINK_FAILED` while it is lost. */
  async with<T>(work: (link: L, touch: () => void) => Promise<T>): Promise<T> {
    const { link } = this;
    if (!link) throw fail("LINK_FAILED", `Board ${this.key} does not answer.`);
    try {
      return await work(link, () => {
        this.busyAtMs = performance.now();
      });
    } catch (error) {
      this.lose(link, toAppError(error));
      throw error;
    }
  }

  watch(watcher: LinkWatcher): void {
    this.watcher = watcher;
    this.timer = setInterval(() => void this.look(), watchEveryMs);
  }

  /** A link is gone, if it is still the one in use. */
  lose(link: L, problem: AppError): void {
    if (this.link !== link || this.closed.signal.aborted) return;
    this.link = null;
    logger().warn({ err: problem, board: this.key }, "a board is lost");
    this.watcher?.onLost(problem);
    const freed = link.close();
    // While it is being brought back, what fails is that attempt.
    if (this.isRecovering) return;
    this.isRecovering = true;
    this.recovery = freed.then(() => this.recover());
  }

  async close(): Promise<void> {
    this.closed.abort();
    if (this.timer) clearInterval(this.timer);
    await this.recovery;
    const { link } = this;
    this.link = null;
    await link?.close();
  }

  private async look(): Promise<void> {
    const { link } = this;
    if (!link || performance.now() - this.busyAtMs < watchEveryMs) return;
    try {
      await link.identify();
    } catch (error) {
      this.lose(link, toAppError(error));
    }
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
        await link?.close();
        if (!signal.aborted) this.watcher?.onLost(toAppError(err));
      }
      if (this.link) {
        this.isRecovering = false;
        logger().info({ board: this.key, tries }, "a board is back");
        return;
      }
    }
  }
}
