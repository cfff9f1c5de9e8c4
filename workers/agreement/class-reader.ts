import type { ArtifactIo } from "@/lib/common/contract";
import { argmax } from "@/lib/common/core-io";
import type { Rows } from "@/lib/common/rows";

type Output = Pick<ArtifactIo["outputs"][number], "activation" | "activated" | "size">;
type ClassOf = (answer: ArrayLike<number>) => number;

/**
 * Whether the largest of an output's values names a class: the model ends it so, or classes are known to be its own. One of
 * several outputs has those alone that it has a value for each of.
 */
export function answersClasses(
  { activation, activated, size }: Output,
  {
    names,
    labels,
    outputs,
  }: {
    /** Of the classes, where the card names them. */
    readonly names: readonly string[] | null;
    readonly labels: Rows["labels"];
    /** How many the model has. */
    readonly outputs: number;
  },
): boolean {
  if (activation !== "none" || activated) return true;
  if (outputs === 1) return names !== null || labels !== null;
  return names ? names.length === size : (labels?.every((label) => label < size) ?? false);
}

/**
 * How an answer names a class: by itself (argmax), by its largest value, or by being above one half (a single sigmoid).
 * Null where it names none.
 *
 * @param classes What the places of the values stand for, where the model says it.
 */
export function classReader(
  output: Output,
  hasClasses: boolean,
  classes: readonly number[] = [],
): ClassOf | null {
  if (output.activation === "argmax") return (answer) => answer[0] ?? 0;
  if (output.size === 1) {
    return output.activation === "sigmoid" ? (answer) => ((answer[0] ?? 0) >= 0.5 ? 1 : 0) : null;
  }
  if (!hasClasses) return null;
  return (answer) => {
    const largest = argmax(answer);
    return classes[largest] ?? largest;
  };
}

/**
 * Rows and a reader of classes, as far as the model's own answers of `size` values bear them out: without either where many
 * answers have no label and the model meets the labels no better than by chance. Then they are labels of something else,
 * like the digits beside the pictures of an autoencoder.
 */
export function ownClasses(
  answers: ArrayLike<number>,
  rows: Rows,
  { size, classOf }: { readonly size: number; readonly classOf: ClassOf | null },
): { readonly rows: Rows; readonly classOf: ClassOf | null } {
  const { labels, count } = rows;
  if (!labels || !classOf || new Set(labels).size >= size) return { rows, classOf };
  let right = 0;
  for (let row = 0; row < count; row++) {
    if (classOf(answerAt(answers, row, size)) === labels[row]) right += 1;
  }
  return right > count / size
    ? { rows, classOf }
    : { rows: { ...rows, labels: null }, classOf: null };
}

/** The `size` values of one row among the answers to several. */
export const answerAt = (answers: ArrayLike<number>, row: number, size: number): number[] =>
  Array.from({ length: size }, (_, at) => answers[row * size + at] ?? 0);

/** The class that an answer of `size` values names, where nothing more is known of it than that it names one. */
export const plainClassOf = (size: number) =>
  size > 1 ? argmax : (answer: ArrayLike<number>) => answer[0] ?? 0;
