"use client";

import type { Board } from "@/lib/common/contract";
import { ledOf } from "./appearance";
import { BoardDrawing } from "./board-drawing";
import { useBoardFacts } from "./catalogue";

/** The drawing of one board as it is now: its LED tells its state, its chip is filled while it holds something. */
export function BoardFigure({
  board,
  height,
  isBlinking = false,
}: {
  board: Board;
  height?: number;
  /** Its LED is lit to show which board it is. */
  isBlinking?: boolean;
}) {
  const facts = useBoardFacts(board.boardModel);
  const loaded = board.slots.filter((slot) => slot.artifactDigest !== null).length;
  return (
    <BoardDrawing
      drawing={facts.drawing}
      title={facts.name}
      simulated={board.kind === "simulated"}
      led={isBlinking ? "shown" : ledOf[board.state]}
      fill={board.slots.length === 0 ? 0 : 0.6 * (loaded / board.slots.length)}
      {...(height === undefined ? {} : { height })}
    />
  );
}
