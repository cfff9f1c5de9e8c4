import type { ArtifactIo } from "@/lib/common/contract";

type Output = Pick<ArtifactIo["outputs"][number], "activation" | "size">;

/**
 * How an answer names a class: by itself (argmax), by its largest value, or by being above one half (a single sigmoid).
 * Null where it names none.
 */
export function classReader(
  output: Output,
  hasClasses: boolean,
): ((answer: ArrayLike<number>) => number) | null {
  if (output.activation === "argmax") return (answer) => answer[0] ?? 0;
  if (output.size === 1) {
    return output.activation === "sigmoid" ? (answer) => ((answer[0] ?? 0) >= 0.5 ? 1 : 0) : null;
  }
  return hasClasses ? largestAt : null;
}

/** The class that an answer of `size` values names, where nothing more is known of it than that it names one. */
export const plainClassOf = (size: number) =>
  size > 1 ? largestAt : (answer: ArrayLike<number>) => answer[0] ?? 0;

/** The index of the largest value, the first of equals. */
export function largestAt(values: ArrayLike<number>): number {
  let best = 0;
  for (let at = 1; at < values.length; at++) {
    if ((values[at] ?? 0) > (values[best] ?? 0)) best = at;
  }
  return best;
}
