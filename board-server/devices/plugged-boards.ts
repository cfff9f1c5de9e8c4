import { realpathSync } from "node:fs";
import { findBoardModel } from "@/boards";
import type { AdoptedBoard } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { AttachedBoards } from "./attached-boards";
import type { KnownPlans, PluggedBoard } from "./board-kind";
import { serialBoard } from "./physical";

/** Digests of the plans that each board may be found with, by its key. */
type PlansOfBoards = Readonly<Record<string, string[]>>;

/** Attempts to program a board that are remembered, since any of them may have gone through. */
const rememberedPlans = 8;

/** The real boards of this host: those that its file names, and those that were adopted or attached in the portal. */
export class PluggedBoards implements KnownPlans {
  /** Those at addresses. */
  readonly attached: AttachedBoards;
  private readonly named: readonly PluggedBoard[];
  private adopted: readonly AdoptedBoard[] = [];
  private plansOf: PlansOfBoards = {};
  private save: (plans: PlansOfBoards) => Promise<void> = async () => {};

  constructor(named: readonly PluggedBoard[] = [], attached = new AttachedBoards()) {
    this.named = named;
    this.attached = attached;
  }

  /** A board that the file names keeps its name and its line. */
  get all(): readonly PluggedBoard[] {
    const isNamed = ({ key, serialPort }: AdoptedBoard): boolean =>
      this.named.some((board) => board.key === key || isSameLine(board.serialPort, serialPort));
    const adopted = this.adopted.filter((board) => !isNamed(board));
    return [
      ...this.named,
      ...adopted
        .filter(({ boardModel }) => findBoardModel(boardModel)?.programmer)
        .map(({ key, boardModel, serialPort }) => serialBoard({ key, boardModel, serialPort })),
      ...this.attached.ready,
    ];
  }

  find(key: string): PluggedBoard | null {
    return this.all.find((board) => board.key === key) ?? null;
  }

  /** Whether the file names a board on this line. */
  isNamed(serialPort: string | null): boolean {
    return (
      serialPort !== null && this.named.some((board) => isSameLine(board.serialPort, serialPort))
    );
  }

  /** What the boards may be found with, but for those that are given up. */
  get plans(): PlansOfBoards {
    return this.plansOf;
  }

  /** A key that is another device's now is no longer known. */
  adopt(boards: readonly AdoptedBoard[]): void {
    const isSame = ({ key, sighting }: AdoptedBoard): boolean =>
      boards.some((board) => board.key === key && board.sighting === sighting);
    const gone = new Set(this.adopted.filter((board) => !isSame(board)).map(({ key }) => key));
    for (const { key } of this.named) gone.delete(key);
    this.plansOf = Object.fromEntries(
      Object.entries(this.plansOf).filter(([key]) => !gone.has(key)),
    );
    this.adopted = boards;
  }

  /** Goes on with what was known before. @param save Keeps what becomes known, so that it outlives a crash. */
  recall(plans: PlansOfBoards, save: (plans: PlansOfBoards) => Promise<void>): void {
    this.plansOf = plans;
    this.save = save;
  }

  /**
   * Holds the design that answers on a board's line against those that were put on that board. One that nothing is known
   * of may have any design but another board's.
   *
   * @throws {AppError} `DEVICE_MISMATCH`
   */
  requireOwn(key: string, found: string, wanted: string): void {
    if (found === wanted) return;
    const own = this.plansOf[key];
    const isOthers = Object.values(this.plansOf).some((plans) => plans.includes(found));
    if (own ? own.includes(found) : !isOthers) return;
    throw fail(
      "DEVICE_MISMATCH",
      `The line of board ${key} answers with a design that was never put on that board.`,
      {
        hint: "Put the boards back on their lines. If this one took its place on purpose, give it up and adopt it again, or name it by another key.",
      },
    );
  }

  /** A board is about to be programmed: it may be found with what it has, or with what it gets. */
  async notePlans(key: string, plans: readonly string[]): Promise<void> {
    const before = (this.plansOf[key] ?? []).filter((each) => !plans.includes(each));
    await this.setPlans(key, [...before, ...plans].slice(-rememberedPlans));
  }

  /** A board says that it runs that plan. */
  async confirmPlan(key: string, plan: string): Promise<void> {
    await this.setPlans(key, [plan]);
  }

  private async setPlans(key: string, plans: string[]): Promise<void> {
    if (JSON.stringify(this.plansOf[key]) === JSON.stringify(plans)) return;
    this.plansOf = { ...this.plansOf, [key]: plans };
    await this.save(this.plansOf);
  }
}

const isSameLine = (one: string | undefined, other: string): boolean =>
  one !== undefined && lineOf(one) === lineOf(other);

function lineOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
