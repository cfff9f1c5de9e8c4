import type { ArtifactIo } from "@/lib/common/contract";
import type { Rows } from "@/lib/common/rows";
import {
  type Agreement,
  answersClasses,
  classReader,
  compareAnswers,
  ownClasses,
} from "../../agreement";

type Output = ArtifactIo["outputs"][number];

/** One output as both models answer it. */
export interface ComparedOutput {
  readonly name: string;
  /** Values of a row, as clients get them. */
  readonly size: number;
  readonly float: ArrayLike<number>;
  readonly integer: ArrayLike<number>;
  /** The rows, without labels that are of something else. */
  readonly rows: Rows;
  /** Null without classes. */
  readonly classOf: ((answer: ArrayLike<number>) => number) | null;
  readonly agreement: Agreement;
}

/** How near each output comes to the float model's: there is one at least. */
export function compareOutputs({
  outputs,
  floats,
  integers,
  rows,
  classNames,
}: {
  readonly outputs: readonly Output[];
  /** Of each output, row by row. */
  readonly floats: readonly ArrayLike<number>[];
  readonly integers: readonly ArrayLike<number>[];
  readonly rows: Rows;
  readonly classNames: readonly string[] | null;
}): readonly [ComparedOutput, ...ComparedOutput[]] {
  const { labels } = rows;
  const compare = (output: Output, at: number): ComparedOutput => {
    const [float, integer] = [floats[at] ?? [], integers[at] ?? []];
    const known = { names: classNames, labels, outputs: outputs.length };
    const read = {
      size: output.size,
      classOf: classReader(output, answersClasses(output, known), classesOf(output, outputs)),
    };
    const own = { size: output.size, ...ownClasses(float, rows, read) };
    const agreement = compareAnswers(integer, float, own);
    return { name: output.name, float, integer, agreement, ...own };
  };
  const [first, ...others] = outputs;
  if (!first) throw new RangeError("A model has outputs.");
  return [compare(first, 0), ...others.map((each, at) => compare(each, at + 1))];
}

/** What the places of scores stand for: a label that is made of the same ones says it. */
const classesOf = ({ scores }: Output, outputs: readonly Output[]): readonly number[] | undefined =>
  outputs.find(
    (each) =>
      each.classes && each.scores?.first === scores?.first && each.scores?.count === scores?.count,
  )?.classes;
