import { realpathSync } from "node:fs";
import { findBoardModel } from "@/boards";
import type { AdoptedBoard } from "@/lib/common/contract";
import type { PluggedBoard } from "./plugged-board";

/** The real boards on cables of this host: those that its file names, and those that were adopted in the portal. */
export class PluggedBoards {
  private readonly named: readonly PluggedBoard[];
  private adopted: readonly AdoptedBoard[] = [];

  constructor(named: readonly PluggedBoard[] = []) {
    this.named = named;
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
        .map(({ key, boardModel, serialPort }) => ({ key, boardModel, serialPort })),
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

  adopt(boards: readonly AdoptedBoard[]): void {
    this.adopted = boards;
  }
}

const isSameLine = (one: string, other: string): boolean => lineOf(one) === lineOf(other);

function lineOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
