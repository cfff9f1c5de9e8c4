import { fail } from "@/lib/common/errors";
import { randomFrom } from "../random";

/** Rows of real values, flattened row-major. */
export interface CalibrationRows {
  readonly count: number;
  readonly width: number;
  readonly values: ArrayLike<number>;
  readonly source: string;
}

/** What a person knows of the inputs, per feature. */
export interface InputRange {
  readonly min?: readonly number[] | undefined;
  readonly max?: readonly number[] | undefined;
  readonly mean?: readonly number[] | undefined;
  readonly std?: readonly number[] | undefined;
}

/** Who says which values the inputs take. */
export type RangeFrom = "card" | "request";

/** A range, as reports call it. */
export const rangeNames = {
  card: "range of the model card",
  request: "range given with the request",
} as const satisfies Record<RangeFrom, string>;

/** The largest standardised value that any grid of the inputs holds. */
const edge = 127 / 32;

/** How the host standardises inputs, and the rows as the core then sees them. */
export interface Standardisation {
  /** `(x − mean) / deviation` per feature, done by the host. */
  readonly mean: readonly number[];
  readonly deviation: readonly number[];
  /** Standardised rows to calibrate with. */
  readonly rows: readonly Float64Array[];
  /** Where range and rows come from, for the report. */
  readonly rangeSource: string;
  readonly rowsSource: string;
  readonly synthetic: boolean;
}

/** What says how large the inputs are, as far as it is known. */
export interface KnownOfInputs {
  readonly range: InputRange | null;
  readonly rangeFrom: RangeFrom;
  /** Rows to calibrate with. */
  readonly given: CalibrationRows | null;
  /** How the model itself scales its inputs. */
  readonly own: { readonly mean: number[]; readonly deviation: number[] } | null;
}

const maxRows = 512;
const syntheticRows = 256;
const seed = 2026;

/**
 * Settles how the host scales the inputs: by the card's mean and deviation, else by its range, else by the rows, else
 * as the model itself scales them, else not at all. Without rows it makes seeded ones over the same range, and says so.
 *
 * @throws {AppError} `CARD_INVALID` when the card's lists do not have one entry per feature.
 */
export function standardise(size: number, known: KnownOfInputs): Standardisation {
  const { range, given } = known;
  checkLengths(size, range);
  const { mean, deviation, source } = statistics(size, known);
  const rows = given ? scaledRows(given, mean, deviation) : inventedRows(range, mean, deviation);
  return {
    mean,
    deviation,
    rows,
    rangeSource: source,
    rowsSource: given ? given.source : "synthetic input",
    synthetic: !given,
  };
}

function checkLengths(size: number, range: InputRange | null): void {
  for (const key of ["min", "max", "mean", "std"] as const) {
    const list = range?.[key];
    if (list && list.length !== size) {
      throw fail(
        "CARD_INVALID",
        `inputRange.${key} has ${list.length} entries, the model takes ${size} features.`,
        { field: `model.card.inputRange.${key}`, hint: "Give one entry per input feature." },
      );
    }
  }
}

function statistics(
  size: number,
  { range, rangeFrom, given, own }: KnownOfInputs,
): { mean: number[]; deviation: number[]; source: string } {
  const { min, max, mean, std } = range ?? {};
  if (mean && std) {
    const deviation = std.map((value, index) => {
      const spread = (max?.[index] ?? 0) - (min?.[index] ?? 0);
      return value > 0 ? value : spread > 0 ? spread / 2 / edge : 1;
    });
    return { mean: [...mean], deviation, source: "mean and deviation of the model card" };
  }
  if (min && max) {
    return {
      mean: min.map((low, index) => (low + (max[index] ?? low)) / 2),
      deviation: min.map((low, index) => ((max[index] ?? low) - low) / 2 / edge || 1),
      source: rangeNames[rangeFrom],
    };
  }
  if (given && given.count > 0) {
    const column = (index: number) =>
      Array.from({ length: given.count }, (_, row) => given.values[row * size + index] ?? 0);
    const columns = Array.from({ length: size }, (_, index) => column(index));
    const means = columns.map((values) => sum(values) / values.length);
    const deviations = columns.map((values, index) => {
      const center = means[index] ?? 0;
      return Math.sqrt(sum(values.map((value) => (value - center) ** 2)) / values.length) || 1;
    });
    return { mean: means, deviation: deviations, source: given.source };
  }
  if (own) return { ...own, source: "the model's own scaling" };
  return {
    mean: Array<number>(size).fill(0),
    deviation: Array<number>(size).fill(1),
    source: "assumed: mean 0, deviation 1",
  };
}

function scaledRows(
  { count, width, values }: CalibrationRows,
  mean: readonly number[],
  deviation: readonly number[],
): Float64Array[] {
  return Array.from({ length: Math.min(count, maxRows) }, (_, row) =>
    Float64Array.from(
      mean,
      (center, index) => ((values[row * width + index] ?? 0) - center) / (deviation[index] ?? 1),
    ),
  );
}

/** Normal around the mean where a deviation is known, uniform where only bounds are; inside the bounds either way. */
function inventedRows(
  range: InputRange | null,
  mean: readonly number[],
  deviation: readonly number[],
): Float64Array[] {
  const random = randomFrom(seed);
  const uniform = range?.min && range.max && !range.mean;
  return Array.from({ length: syntheticRows }, () =>
    Float64Array.from(mean, (center, index) => {
      const scale = deviation[index] ?? 1;
      const draw = uniform ? edge * (2 * random.uniform() - 1) : random.normal();
      const low = ((range?.min?.[index] ?? Number.NEGATIVE_INFINITY) - center) / scale;
      const high = ((range?.max?.[index] ?? Number.POSITIVE_INFINITY) - center) / scale;
      return Math.min(high, Math.max(low, draw));
    }),
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
