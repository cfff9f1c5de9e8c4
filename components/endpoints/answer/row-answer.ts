import type { Output } from "../request/predict";
import { classView } from "./class-view";

/** What one row was answered, in short. */
export interface RowAnswer {
  /** Index of the class that wins; null where the answer is not about classes. */
  readonly best: number | null;
  /** Its name, else the first value. */
  readonly words: string;
  /** The value of what wins, 0 to 1 for probabilities; null where there is none. */
  readonly score: string | null;
  /** All values of the row, output after output. */
  readonly values: readonly (string | number | boolean)[];
}

/** Values of one row in an output. */
export function widthOf({ shape, data }: Output): number {
  const rows = shape[0] ?? 1;
  return shape.length < 2
    ? rows === data.length && rows > 0
      ? 1
      : data.length
    : data.length / Math.max(1, rows);
}

/** The answer to one row of a request. */
export function rowAnswer(
  outputs: readonly Output[],
  labels: readonly string[] | undefined,
  row: number,
): RowAnswer {
  const values = outputs.flatMap((output) => {
    const width = widthOf(output);
    return output.data.slice(row * width, (row + 1) * width);
  });
  const view = classView(outputs, labels, row);
  const bar = view?.bars.find(({ wins }) => wins);
  if (!view || !bar) return { best: null, words: shorten(values[0]), score: null, values };
  return { best: view.best, words: bar.label, score: bar.text || null, values };
}

/** A value short enough for a list: six digits, every digit of an integer. */
function shorten(value: string | number | boolean | undefined): string {
  if (typeof value === "number" && !Number.isInteger(value))
    return String(Number(value.toPrecision(6)));
  return value === undefined ? "–" : String(value);
}
