import { cardSaysRange, type ModelCard } from "@/lib/common/contract";
import type { Rows } from "@/lib/common/rows";

export interface SplitRows {
  readonly calibration: Rows | null;
  readonly heldBack: Rows | null;
}

/**
 * Splits the rows beside a model into those that calibrate and those held back to measure with. Where the card gives the
 * range, none is needed to calibrate; else every second one is.
 */
export function splitRows(rows: Rows, card: Pick<ModelCard, "inputRange"> | null): SplitRows {
  return cardSaysRange(card) ? { calibration: null, heldBack: rows } : splitInTwo(rows);
}

/** Every second row to calibrate with, the others to measure with; of a single row, nothing is left to measure with. */
export function splitInTwo(rows: Rows): SplitRows {
  return { calibration: everySecond(rows, 0), heldBack: everySecond(rows, 1) };
}

function everySecond(rows: Rows, from: 0 | 1): Rows | null {
  const taken = Array.from({ length: rows.count }, (_, row) => row).filter(
    (row) => row % 2 === from,
  );
  if (taken.length === 0) return null;
  const values = new Float32Array(taken.length * rows.width);
  for (const [at, row] of taken.entries()) {
    values.set(rows.values.subarray(row * rows.width, (row + 1) * rows.width), at * rows.width);
  }
  return {
    ...rows,
    count: taken.length,
    values,
    numbers: Int32Array.from(taken, (row) => row + 1),
    labels: rows.labels && Int32Array.from(taken, (row) => rows.labels?.[row] ?? 0),
  };
}
