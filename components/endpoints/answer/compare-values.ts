import type { RowAnswer } from "./row-answer";

/** One value of a row as each side answered it. */
export interface ComparedValue {
  readonly index: number;
  readonly endpoint: string;
  readonly float: string;
  /** Null of what are no numbers. */
  readonly difference: number | null;
}

/** Two answers to one row, value by value. */
export interface ComparedRow {
  readonly values: readonly ComparedValue[];
  /** Of all values that are numbers; null: there are none. */
  readonly largest: number | null;
  /** Whether both give the same class; null where the answer is not about classes. */
  readonly sameClass: boolean | null;
}

/** A value in six digits; integers and texts as they are. */
export const showValue = (value: string | number | boolean | undefined): string =>
  typeof value === "number" && !Number.isInteger(value)
    ? String(Number(value.toPrecision(6)))
    : String(value ?? "–");

/** Holds the answer of an endpoint against that of the float model. */
export function compareValues(endpoint: RowAnswer, float: RowAnswer): ComparedRow {
  const values = endpoint.values.map((value, index): ComparedValue => {
    const other = float.values[index];
    const distance = Math.abs(Number(value) - Number(other));
    const isSame = String(value) === String(other);
    return {
      index,
      endpoint: showValue(value),
      float: showValue(other),
      difference: isSame ? 0 : Number.isFinite(distance) ? distance : null,
    };
  });
  const known = values.flatMap(({ difference }) => difference ?? []);
  const sameClass =
    endpoint.best === null || float.best === null ? null : endpoint.best === float.best;
  return { values, largest: known.length > 0 ? Math.max(...known) : null, sameClass };
}
