import type { AttachedBoard, TrialReport, TrialStep } from "@/lib/common/contract";
import { logger } from "@/lib/server/logger";
import type { PluggedBoard } from "./board-kind";
import { type BondLimits, bondBoard, defaultBondLimits, tryBoard, waitingSteps } from "./bond-grpc";

/** A board at an address, and how far its trial is. */
export interface TriedBoard {
  readonly board: AttachedBoard;
  readonly steps: TrialStep[];
}

/** The boards at addresses that were attached to this server in the portal. One that passed its trial is there. */
export class AttachedBoards {
  private readonly limits: BondLimits;
  private tried: readonly TriedBoard[] = [];
  private save: () => Promise<void> = async () => {};
  private readonly closed = new AbortController();
  private trials: Promise<void> = Promise.resolve();

  constructor(limits: BondLimits = defaultBondLimits) {
    this.limits = limits;
  }

  /** What is to be kept over a restart. */
  get all(): readonly TriedBoard[] {
    return this.tried;
  }

  /** Those that passed. */
  get ready(): readonly PluggedBoard[] {
    return this.tried.filter(hasPassed).map(({ board }) => bondBoard(board, this.limits));
  }

  reports(): TrialReport[] {
    return this.tried.map(({ board: { id }, steps }) => ({ id, steps }));
  }

  /**
   * Goes on with what was known before; a trial that was under way begins again.
   *
   * @param save Keeps what changed, and tells the portal.
   */
  recall(tried: readonly TriedBoard[], save: () => Promise<void>): void {
    this.save = save;
    this.tried = tried;
    for (const { board, steps } of tried) if (!isOver(steps)) this.try(board);
  }

  /** Takes the whole list: who is new on it is tried at once, who is not on it is given up. */
  attach(boards: readonly AttachedBoard[]): void {
    const known = new Map(this.tried.map((each) => [each.board.id, each]));
    const fresh = boards.filter(({ id }) => !known.has(id));
    if (fresh.length === 0 && boards.length === this.tried.length) return;
    this.tried = boards.map((board) => known.get(board.id) ?? { board, steps: waitingSteps() });
    this.keep();
    for (const board of fresh) this.try(board);
  }

  /** Trials that are under way end, and begin again at the next start. */
  async close(): Promise<void> {
    this.closed.abort();
    await this.trials;
  }

  private try(board: AttachedBoard): void {
    const { limits } = this;
    const { signal } = this.closed;
    const onStep = (steps: TrialStep[]) => this.note(board.id, steps);
    this.after(async () => {
      const steps = await tryBoard(board, { limits, signal, onStep });
      const outcome = steps.every(isDone) ? "passed" : "failed";
      logger().info({ board: board.key, address: board.address, outcome }, "a board was tried");
    });
  }

  private note(id: string, steps: TrialStep[]): void {
    if (this.closed.signal.aborted) return;
    this.tried = this.tried.map((each) => (each.board.id === id ? { ...each, steps } : each));
    this.keep();
  }

  private keep(): void {
    this.after(() => this.save());
  }

  /** Closing waits for what is under way. */
  private after(run: () => Promise<void>): void {
    const running = run().catch((err: unknown) => logger().error({ err }, "a trial went wrong"));
    this.trials = Promise.all([this.trials, running]).then(() => {});
  }
}

const isDone = ({ state }: TrialStep): boolean => state === "succeeded";
const hasPassed = ({ steps }: TriedBoard): boolean => steps.every(isDone);
const isOver = (steps: readonly TrialStep[]): boolean =>
  steps.every(isDone) || steps.some(({ state }) => state === "failed");
