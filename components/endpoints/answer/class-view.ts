import type { Output } from "../request/predict";
import { type ValueWord, valueInWords } from "./value-in-words";

export interface ClassBar {
  readonly label: string;
  /** The value in digits. */
  readonly text: string;
  /** Said in its place, where digits say nothing. */
  readonly word: ValueWord | null;
  /** Length of the bar, 0..1. */
  readonly share: number;
  readonly wins: boolean;
}

export interface ClassView {
  readonly bars: readonly ClassBar[];
  /** Null when no class wins: not every value is a number. */
  readonly winner: string | null;
  /** Index of the class that wins. */
  readonly best: number | null;
  readonly rows: number;
}

const mostClasses = 200;

/**
 * One row of an answer as bars: probabilities as they are, scores from the lowest to the highest. Null where the answer is not about
 * classes: no floats of two to two hundred per row, and no labelled index.
 */
export function classView(
  outputs: readonly Output[],
  labels: readonly string[] | undefined,
  row: number,
): ClassView | null {
  const floats = outputs.find(({ datatype, shape }) => {
    const width = shape.at(-1) ?? 0;
    return /^(FP|BF)/.test(datatype) && shape.length === 2 && width > 1 && width <= mostClasses;
  });
  if (!floats) return indexView(outputs, labels, row);
  const width = floats.shape.at(-1) ?? 1;
  const rows = floats.data.length / width;
  const values = floats.data.slice(row * width, (row + 1) * width).map(Number);
  const sum = values.reduce((total, value) => total + value, 0);
  const finite = values.filter(Number.isFinite);
  const lowest = Math.min(...finite);
  const highest = Math.max(...finite);
  const areShares = finite.length === width && lowest >= 0 && Math.abs(sum - 1) < 0.01;
  const best = values.some(Number.isNaN) ? -1 : values.indexOf(Math.max(...values));
  const bars = values.map((value, index): ClassBar => {
    const label = labels?.[index] ?? String(index);
    const wins = index === best;
    if (!Number.isFinite(value)) {
      return { label, text: "", word: valueInWords(value), share: value > 0 ? 1 : 0, wins };
    }
    const share = highest === lowest ? 0 : (value - lowest) / (highest - lowest);
    return areShares
      ? { label, text: value.toFixed(3), word: null, share: value, wins }
      : { label, text: value.toPrecision(4), word: null, share, wins };
  });
  return { bars, winner: bars[best]?.label ?? null, best: best < 0 ? null : best, rows };
}

/** The answer of a model that ends in ArgMax: one index per row. */
function indexView(
  outputs: readonly Output[],
  labels: readonly string[] | undefined,
  row: number,
): ClassView | null {
  const index = outputs.find(({ datatype }) => /^U?INT/.test(datatype));
  if (!index || !labels || labels.length > mostClasses) return null;
  const chosen = Number(index.data[row]);
  const bars = labels.map(
    (label, at): ClassBar => ({
      label,
      text: "",
      word: at === chosen ? "chosen" : null,
      share: at === chosen ? 1 : 0,
      wins: at === chosen,
    }),
  );
  const winner = labels[chosen] ?? null;
  return { bars, winner, best: winner === null ? null : chosen, rows: index.data.length };
}
