import { fail } from "@/lib/common/errors";
import type { Rows } from "@/lib/common/rows";
import { type Datatype, readBlob, type TensorSpec } from "@/lib/common/tensor";
import { answerThread } from "@/lib/server/process";
import { type Agreement, compareAnswers, ownClasses, plainClassOf } from "../../agreement";
import { makeFeeds } from "../../rows";
import { type Answer, openSession } from "./float-session";

/** A tensor that the original answered; its bytes in base64. */
export interface OriginalAnswer {
  readonly name: string;
  readonly datatype: Datatype;
  readonly shape: readonly number[];
  readonly data: string;
}

/** An imported model, and what the original answered to the same rows. */
export interface ConversionTask {
  readonly model: Uint8Array;
  readonly inputs: readonly TensorSpec[];
  readonly outputs: readonly TensorSpec[];
  readonly rows: Rows | null;
  readonly count: number;
  readonly answers: readonly OriginalAnswer[];
  readonly classes: boolean;
}

/** How far the first output lies from the original's, and over how many rows. */
export interface Compared {
  readonly agreement: Agreement;
  readonly rows: number;
}

/** Largest difference from the original, as a share of the largest value of that output: float32 holds 7 digits. */
const tolerance = 1e-5;

answerThread(async (task: ConversionTask): Promise<Compared> => {
  const session = await openSession(task.model);
  try {
    const made = await session.run(makeFeeds(task.inputs, task.rows, task.count));
    const pairs = task.outputs.map(({ name }) => pairOf(name, made, task.answers));
    for (const pair of pairs) requireEqual(pair);
    const [first] = pairs;
    if (!first) throw new RangeError("A model has an output.");
    return compare(first, task);
  } finally {
    await session.close();
  }
});

interface Pair {
  readonly name: string;
  readonly ours: readonly number[];
  readonly theirs: readonly number[];
}

function pairOf(
  name: string,
  made: ReadonlyMap<string, Answer>,
  answers: readonly OriginalAnswer[],
): Pair {
  const ours = made.get(name);
  const theirs = answers.find((answer) => answer.name === name);
  if (!theirs) throw fail("OUTPUT_INVALID", `The original gave no output ${name}.`);
  if (!ours || ours.shape.join() !== theirs.shape.join()) {
    throw differs(name, {
      expected: `[${theirs.shape.join(", ")}]`,
      got: ours ? `[${ours.shape.join(", ")}]` : "nothing",
    });
  }
  const { datatype, shape, data } = theirs;
  const values = readBlob(Buffer.from(data, "base64"), {
    datatype,
    count: shape.reduce((product, size) => product * size, 1),
    label: name,
  });
  return { name, ours: numbers(ours.data), theirs: numbers(values) };
}

const numbers = (data: unknown) => Array.from(data as ArrayLike<number | bigint>, Number);

function requireEqual({ name, ours, theirs }: Pair): void {
  const largest = theirs.reduce(
    (most, value) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most),
    0,
  );
  const element = theirs.findIndex((value, at) => {
    const got = ours[at] ?? Number.NaN;
    return !Object.is(got, value) && !(Math.abs(got - value) <= tolerance * largest);
  });
  if (element < 0) return;
  throw differs(name, { element, expected: theirs[element], got: ours[element] });
}

function differs(output: string, details: Readonly<Record<string, unknown>>) {
  return fail(
    "IMPORT_MISMATCH",
    `The ONNX file answers otherwise than the original at output ${output}.`,
    {
      hint: "The converter does not carry this model over. Export it to ONNX where it was trained.",
      details: { output, ...details },
    },
  );
}

/** Without a batch dimension everywhere, the whole tensors are the one row. */
function compare({ ours, theirs }: Pair, task: ConversionTask): Compared {
  const { inputs, outputs, rows: given, classes } = task;
  const isBatched = [...inputs, ...outputs].every(({ shape }) => shape[0] === -1);
  const count = isBatched ? task.count : 1;
  const size = Math.max(1, Math.round(theirs.length / count));
  const rows: Rows = {
    count,
    width: given?.width ?? 1,
    values: new Float32Array(),
    labels: isBatched ? (given?.labels ?? null) : null,
    source: given?.source ?? "synthetic input",
  };
  const read = { size, classOf: classes && isBatched ? plainClassOf(size) : null };
  const agreement = compareAnswers(ours, theirs, { size, ...ownClasses(theirs, rows, read) });
  return { agreement, rows: count };
}
