import { type InputRange, inputRangeSchema } from "@/lib/common/contract";

/** Which values the inputs take, as typed; and the address of the model for which somebody goes on without knowing. */
export interface RangeDraft {
  readonly min: string;
  readonly max: string;
  readonly assumedFor: string;
}

/** What was typed as a range, before and after it is understood. */
export interface ReadRange {
  /** Null where nothing was typed, or nothing that can be used. */
  readonly range: InputRange | null;
  readonly complaint: string | null;
}

/**
 * Reads what was typed as smallest and largest value: one number for all inputs, or one for each.
 *
 * @param inputs How many the model takes; null while that is not known.
 */
export function readRange(
  { min, max }: Pick<RangeDraft, "min" | "max">,
  inputs: number | null,
): ReadRange {
  const bounds = [numbersIn(min), numbersIn(max)] as const;
  const [low, high] = bounds;
  if (low.length === 0 && high.length === 0) return { range: null, complaint: null };
  if (low.length === 0) return refused("Give the smallest value too.");
  if (high.length === 0) return refused("Give the largest value too.");
  for (const { word, value } of bounds.flat()) {
    if (!Number.isFinite(value)) return refused(`“${word}” is no number.`);
  }
  for (const { length } of bounds) {
    if (length !== 1 && inputs !== null && length !== inputs) {
      return refused(`${length} numbers are given where the model takes ${inputs} inputs.`);
    }
  }
  const read = inputRangeSchema.safeParse({ min: boundOf(low), max: boundOf(high) });
  if (read.success) return { range: read.data, complaint: null };
  return refused(read.error.issues[0]?.message ?? "This is no range.");
}

const refused = (complaint: string): ReadRange => ({ range: null, complaint });

/** Numbers as people paste them: between spaces, commas or lines, with a minus of either kind. */
const numbersIn = (text: string) =>
  text
    .split(/[\s,;]+/)
    .filter((word) => word !== "")
    .map((word) => ({ word, value: Number(word.replace("−", "-")) }));

const boundOf = (numbers: ReturnType<typeof numbersIn>) => {
  const [first = 0, ...rest] = numbers.map(({ value }) => value);
  return rest.length === 0 ? first : [first, ...rest];
};

/** The range that goes with a request; null: none. */
export const givenRange = ({ range }: { readonly range: RangeDraft }): InputRange | null =>
  readRange(range, null).range;

/** Whether anything was typed into either field. */
export const hasTyped = ({ min, max }: RangeDraft): boolean => `${min}${max}`.trim() !== "";
