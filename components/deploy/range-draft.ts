import { type InputRange, inputRangeSchema } from "@/lib/common/contract";

/** Which values the inputs take, as typed; and the address of the model for which somebody goes on without knowing. */
export interface RangeDraft {
  readonly min: string;
  readonly max: string;
  readonly assumedFor: string;
}

/** A range as the form holds it; left out: nothing was typed. */
export const rangeDraftOf = (range: InputRange | undefined): RangeDraft => ({
  min: textOf(range?.min),
  max: textOf(range?.max),
  assumedFor: "",
});

const textOf = (bound: number | number[] | undefined): string =>
  bound === undefined ? "" : [bound].flat().join(" ");

/** What was typed as a range, before and after it is understood. */
export interface ReadRange {
  /** Null where nothing was typed, or nothing that can be used. */
  readonly range: InputRange | null;
  readonly complaint: RangeComplaint | null;
}

/** What is wrong with a range: a text of `deploy.complaints` and its values. */
export interface RangeComplaint {
  readonly key: "rangeMin" | "rangeMax" | "rangeWord" | "rangeCount" | "rangeSaid";
  readonly values: Readonly<Record<string, string | number>>;
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
  if (low.length === 0) return refused("rangeMin");
  if (high.length === 0) return refused("rangeMax");
  for (const { word, value } of bounds.flat()) {
    if (!Number.isFinite(value)) return refused("rangeWord", { word });
  }
  for (const { length } of bounds) {
    if (length !== 1 && inputs !== null && length !== inputs) {
      return refused("rangeCount", { given: length, inputs });
    }
  }
  const read = inputRangeSchema.safeParse({ min: boundOf(low), max: boundOf(high) });
  if (read.success) return { range: read.data, complaint: null };
  return refused("rangeSaid", { said: read.error.issues[0]?.message ?? "" });
}

const refused = (key: RangeComplaint["key"], values: RangeComplaint["values"] = {}): ReadRange => ({
  range: null,
  complaint: { key, values },
});

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
