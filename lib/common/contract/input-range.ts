import { z } from "zod";
import type { Calibration } from "./accuracy";
import type { ModelCard } from "./models";

/** The largest number that FP32, as inputs are sent, can hold. */
const largest = 3.4e38;
const boundSchema = z.number().min(-largest).max(largest);
const boundsSchema = z.union([boundSchema, z.array(boundSchema).min(1).max(100_000)], {
  error: "Give one number for all inputs, or a list with one number for each.",
});

/**
 * The smallest and largest value that the inputs of a model take, which an engine that makes integers of it builds for. It
 * takes the place of what the model's card says; engines without integers have no use for it.
 */
export const inputRangeSchema = z
  .strictObject({ min: boundsSchema, max: boundsSchema })
  .superRefine(({ min, max }, context) => {
    const fault = faultOf(min, max);
    if (fault) context.addIssue({ code: "custom", ...fault });
  });
export type InputRange = z.infer<typeof inputRangeSchema>;

type Bounds = z.infer<typeof boundsSchema>;

function faultOf(min: Bounds, max: Bounds) {
  if (Array.isArray(min) && Array.isArray(max) && min.length !== max.length) {
    const message = `There are ${min.length} smallest and ${max.length} largest values; give as many of both.`;
    return { path: ["max"], message };
  }
  const count = Math.max(...[min, max].map((each) => (Array.isArray(each) ? each.length : 1)));
  const [low, high] = [listOf(min, count), listOf(max, count)];
  const crossed = low.findIndex((each, at) => each > (high[at] ?? each));
  if (crossed >= 0) {
    const path = ["max", ...(Array.isArray(max) ? [crossed] : [])];
    return { path, message: `${high[crossed]} is below the smallest value, ${low[crossed]}.` };
  }
  if (low.every((each, at) => each === high[at])) {
    return { path: ["max"], message: "The largest value is the smallest one: that is no range." };
  }
  return null;
}

const listOf = (bounds: Bounds, count: number): number[] =>
  Array.isArray(bounds) ? bounds : Array<number>(count).fill(bounds);

/** A range with one number for each input; a list of another length stays as it is. */
export function rangeOfEach(
  { min, max }: InputRange,
  inputs: number,
): { readonly min: number[]; readonly max: number[] } {
  return { min: listOf(min, inputs), max: listOf(max, inputs) };
}

/** Whether a card says which values the inputs take: both bounds, or mean and deviation. */
export function cardSaysRange(card: Pick<ModelCard, "inputRange"> | null | undefined): boolean {
  const { min, max, mean, std } = card?.inputRange ?? {};
  return (min !== undefined && max !== undefined) || (mean !== undefined && std !== undefined);
}

/** Whether nothing said which values the inputs take: neither a person nor a card, rows or the model itself. */
export function isRangeAssumed({ scaledBy }: Pick<Calibration, "scaledBy">): boolean {
  return scaledBy.startsWith("assumed: ");
}
