import { z } from "zod";
import type { Conversion, Graph, Plan } from "@/engines";
import type { Inspection, Proof } from "@/lib/common/contract";
import { type AppError, fail, isAppError } from "@/lib/common/errors";
import { keysOf } from "@/lib/common/records";
import type { Rows } from "@/lib/common/rows";
import { datatypes, type TensorSpec, toDatatype } from "@/lib/common/tensor";
import { runThread } from "@/lib/server/process";
import { inspectAndRead } from "../../inspect";
import { batchOf, makeFeeds, takesRows } from "../../rows";
import { readProduct } from "../tools";
import { type AttemptContext, say } from "./attempt-context";
import type { Compared, ConversionTask, OriginalAnswer } from "./conversion.thread";
import { arrayOf } from "./float-session";

type Tensors = Pick<Inspection, "inputs" | "outputs">;

/** What a tool is to convert, with rows to try it on. */
export interface ConversionSubject {
  readonly conversion: Conversion;
  /** What the original takes and answers, as it was announced. */
  readonly io: Plan["io"];
  readonly heldBack: Rows | null;
  /** Whether the card names classes. */
  readonly hasClasses: boolean;
}

/** An ONNX file that answers as the original does. */
export interface Converted {
  readonly model: Uint8Array;
  readonly graph: Graph;
  /** Null where the original answers no numbers to measure by. */
  readonly proof: Proof | null;
}

const sampleRows = 256;
const limitMs = 1_800_000;

const answersSchema = z.array(
  z.object({
    name: z.string(),
    datatype: z.enum(keysOf(datatypes)),
    shape: z.array(z.number().int().nonnegative()),
    data: z.base64(),
  }),
);

const specsOf = (tensors: Tensors["inputs"]): TensorSpec[] =>
  tensors.map(({ name, datatype, shape }) => ({ name, datatype: toDatatype(datatype), shape }));

/** Rows that the original is given: held-back ones where they fit, else made up, the same each time. */
function sampleOf({ io, heldBack }: ConversionSubject) {
  const inputs = specsOf(io.inputs);
  const rows = takesRows(inputs, heldBack) ? heldBack : null;
  const wanted = rows ? Math.min(rows.count, sampleRows) : sampleRows / 4;
  return { inputs, rows, count: batchOf(inputs[0] ?? { shape: [] }, wanted) };
}

/** Writes the rows into the work folder, for the tool that runs the original. */
export async function writeRows(
  { work }: AttemptContext,
  subject: ConversionSubject,
): Promise<void> {
  const { inputs, rows, count } = sampleOf(subject);
  const feeds = [...makeFeeds(inputs, rows, count)].map(([name, feed]) => {
    const { buffer, byteOffset, byteLength } = arrayOf(feed) as Uint8Array;
    const data = Buffer.from(buffer, byteOffset, byteLength).toString("base64");
    return { name, datatype: feed.datatype, shape: feed.shape, data };
  });
  await work.write(subject.conversion.rows, JSON.stringify(feeds));
}

/**
 * Holds the ONNX file that a tool made against the original: its tensors are those that were announced, and ONNX Runtime
 * answers the rows as the original did.
 *
 * @throws {AppError} `IMPORT_MISMATCH` naming the tensor; `OUTPUT_INVALID`, and those of reading an ONNX file.
 */
export async function checkConversion(
  context: AttemptContext,
  subject: ConversionSubject,
): Promise<Converted> {
  const { signal, work, stages } = context;
  const { conversion, io, hasClasses } = subject;
  stages.enter("verify");
  const model = readProduct(work.path, conversion.model);
  const { inspection, graph } = await inspectAndRead(model, { signal }).catch((error: unknown) => {
    throw isAppError(error) && error.reason === "OPERATOR_UNKNOWN" ? notConverted(error) : error;
  });
  if (!graph || inspection.format !== "onnx") {
    throw fail("OUTPUT_INVALID", `${conversion.model} is no ONNX file.`);
  }
  requireTensors(io, inspection);
  const { inputs, rows, count } = sampleOf(subject);
  const task: ConversionTask = {
    model,
    inputs,
    outputs: specsOf(io.outputs),
    rows,
    count,
    answers: readAnswers(work.path, conversion.answers),
    classes: hasClasses || (rows?.labels ?? null) !== null,
  };
  const { agreement, rows: compared } = await runThread<Compared>(
    "workers/builds/stages/conversion.thread",
    task,
    { signal, timeoutMs: limitMs },
  );
  const source = rows ? "held-back rows" : "synthetic input";
  say(
    context,
    `The ONNX file answers ${compared} rows of ${rows?.source ?? source} as the original does: largest difference ${agreement.maxAbsError.toPrecision(3)}.`,
  );
  const counts = { vectors: compared, mismatches: 0, rows: rows ? compared : 0 };
  const proof = Number.isFinite(agreement.maxAbsError) ? { ...agreement, ...counts, source } : null;
  return { model, graph, proof };
}

function readAnswers(work: string, path: string): OriginalAnswer[] {
  const parsed = answersSchema.safeParse(parseJson(readProduct(work, path).toString("utf8")));
  if (parsed.success) return parsed.data;
  throw fail("OUTPUT_INVALID", `${path} does not hold what the original answered.`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Shapes of outputs show in the answers; inputs must take what was announced, above all any number of rows. */
function requireTensors(announced: Tensors, made: Tensors): void {
  for (const [what, ours, theirs] of [
    ["input", announced.inputs, made.inputs],
    ["output", announced.outputs, made.outputs],
  ] as const) {
    for (const { name, datatype, shape } of ours) {
      const found = theirs.find((each) => each.name === name);
      const fits = found?.shape.every((size, axis) => size < 0 || size === shape[axis]) ?? false;
      const sameRank = found?.shape.length === shape.length;
      if (found?.datatype === datatype && (what === "output" || (fits && sameRank))) continue;
      throw mismatch(`The ONNX file has no ${what} ${name} of ${datatype} [${shape.join(", ")}].`);
    }
    if (ours.length !== theirs.length) {
      throw mismatch(`The ONNX file has ${theirs.length} ${what}s, the original ${ours.length}.`);
    }
  }
}

/** The converter leaves what it does not know as it is, and says so in the log. */
const notConverted = (cause: AppError) =>
  fail("OPERATOR_UNSUPPORTED", `The model is not converted whole. ${cause.message}`, {
    hint: "ONNX has no counterpart of that operator: use others of TensorFlow's, and save the model again.",
    cause,
  });

const mismatch = (message: string) =>
  fail("IMPORT_MISMATCH", message, {
    hint: "The converter changed what the model takes or answers. Export it to ONNX where it was trained.",
  });
