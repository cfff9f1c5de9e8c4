import { z } from "zod";
import { fail } from "../errors";
import { parseLooseJson } from "./loose-json";

/** What a board answers to the rows of a call. */
export interface BondAnswer {
  /** Row by row, as the board gave them: probabilities, or what its last layer gives. */
  readonly scores: Float32Array;
  /** The class of each row; null where the board says none. */
  readonly classes: readonly number[] | null;
}

const numberSchema = z.number().nullable();
const listSchema = z.union([numberSchema, z.array(z.union([numberSchema, z.array(numberSchema)]))]);
const answersSchema = z
  .array(
    z.looseObject({
      classification: z.looseObject({
        probabilities: listSchema,
        classification: listSchema.optional(),
      }),
    }),
  )
  .max(64);

/** What a call asked: so many rows, with so many scores each. */
interface Asked {
  readonly rows: number;
  readonly outputs: number;
}

/**
 * Reads what a board answers: lists of rows, one flat row, or a bare number, with the classes as a list or a number.
 *
 * @throws {AppError} `UPSTREAM_MISMATCH` for what is no such answer, or is another model's.
 */
export function readBondAnswers(text: string, { rows, outputs }: Asked): BondAnswer {
  const [answer] = entriesOf(text);
  if (!answer) throw mismatch("it answers nothing");
  const { probabilities, classification } = answer.classification;
  const scores = flat(probabilities);
  if (scores.length === 0 && rows > 0) {
    throw mismatch("it answers no probabilities", {
      hint: "The original does so when it was loaded without its architecture: zynq or alveo.",
    });
  }
  if (scores.length !== rows * outputs) {
    const wanted = `${rows} rows of ${outputs}`;
    throw mismatch(`it answers ${scores.length} numbers for ${wanted}: another model's`);
  }
  const classes = classification === undefined ? [] : flat(classification);
  if (classes.length !== rows && classes.length !== 0)
    throw mismatch(`it answers ${classes.length} classes for ${rows} rows`);
  return {
    scores: Float32Array.from(scores, (score) => score ?? Number.NaN),
    classes: classes.length === 0 ? null : classes.map((each) => each ?? -1),
  };
}

/** How many scores a row of an answer has. @throws {AppError} `UPSTREAM_MISMATCH` */
export function countBondOutputs(text: string): number {
  const [answer] = entriesOf(text);
  return answer ? flat(answer.classification.probabilities).length : 0;
}

function entriesOf(text: string) {
  let value: unknown;
  try {
    value = parseLooseJson(text);
  } catch (cause) {
    throw mismatch("it does not answer JSON", { cause });
  }
  const parsed = answersSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw mismatch(`its answer is of another shape: ${issue?.path.join(".")} ${issue?.message}`);
}

const flat = (list: z.infer<typeof listSchema>): (number | null)[] =>
  Array.isArray(list) ? list.flat() : [list];

const mismatch = (why: string, more: { hint?: string; cause?: unknown } = {}) =>
  fail("UPSTREAM_MISMATCH", `The board's answer cannot be used: ${why}.`, {
    hint: "See that the firmware on the board is the one that its metadata describes.",
    ...more,
  });

/** The rows of one tensor as an answer of ours has them. */
interface AnsweredRows {
  readonly scores: readonly (readonly number[])[];
  readonly classes: readonly number[];
}

/** The JSON text of an answer, written as Python writes it: classes are floats there. */
export function writeBondAnswers(answers: readonly AnsweredRows[]): string {
  const entries = answers.map(({ scores, classes }) => {
    const rows = scores.map((row) => `[${row.map(pythonFloat).join(", ")}]`).join(", ");
    const list = classes.map(pythonFloat).join(", ");
    return `{"classification": {"probabilities": [${rows}], "classification": [${list}]}}`;
  });
  return `[${entries.join(", ")}]`;
}

function pythonFloat(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "Infinity" : "-Infinity";
  return Number.isInteger(value) && Math.abs(value) < 1e16 ? `${value}.0` : String(value);
}
