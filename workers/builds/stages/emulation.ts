import type { Emulation, Plan } from "@/engines";
import type { Accuracy } from "@/lib/common/contract";
import {
  maxQuestionBytes,
  questionOf,
  type Reply,
  ReplyReader,
  replyKinds,
  requireGreeting,
} from "@/lib/common/emulation";
import { fail } from "@/lib/common/errors";
import type { Rows } from "@/lib/common/rows";
import { readProduct, runTool, type Sandbox, type Tool, type ToolLimits } from "../tools";
import { type AttemptContext, logOutput, say } from "./attempt-context";
import { compareOutputs } from "./compare-outputs";
import { measureAccuracy } from "./measure-accuracy";
import { bytesOfFeed, type SampleRows, sampleFeeds, sampleRowsOf, sampleText } from "./sample-rows";
import { sayAccuracy, sayAgreement, type Verified, vectorsPath, writeVectors } from "./verify";

/** A program that a tool makes, with what it is tried on. */
export interface EmulationSubject {
  readonly emulation: Emulation;
  readonly io: Plan["io"];
  readonly heldBack: Rows | null;
  /** Classes that the card names. */
  readonly classNames: readonly string[] | null;
}

/** How the program is run: as tools are. */
interface Running {
  readonly sandbox: Sandbox;
  readonly limits?: Partial<ToolLimits>;
}

const mostRows = 2048;
/** Rows that loading a board picks its own from. */
const vectorRows = 64;
const limitS = 1800;
const questionsPath = "questions.bin";
const repliesPath = "replies.bin";

const sumOf = (tensors: readonly { readonly size: number }[]) =>
  tensors.reduce((sum, { size }) => sum + size, 0);

function sampleOf({ io, heldBack }: EmulationSubject): SampleRows {
  const fitting = Math.floor(maxQuestionBytes / (4 * sumOf(io.inputs)));
  return sampleRowsOf(io, heldBack, Math.max(1, Math.min(mostRows, fitting)));
}

/** Writes the rows into the work folder, for the tool that makes the program. */
export async function writeEmulationRows(
  { work }: AttemptContext,
  subject: EmulationSubject,
): Promise<void> {
  await work.write(subject.emulation.rows, sampleText(sampleOf(subject)));
}

/**
 * Runs the program that a tool made on the rows, in the sandbox: it answers bit for bit what its maker says. Then its
 * distance from the original is measured.
 *
 * @throws {AppError} `VERIFICATION_FAILED` naming the row; `OUTPUT_INVALID`, and what tools throw.
 */
export async function verifyEmulation(
  context: AttemptContext,
  subject: EmulationSubject,
  running: Running,
): Promise<Verified> {
  context.stages.enter("verify");
  const { emulation, io } = subject;
  const sample = sampleOf(subject);
  const inputs = rowBytes(sample);
  const answers = await answersOf(context, subject, { inputs, running });
  const wanted = readProduct(context.work.path, emulation.answers);
  requireEqual(answers, wanted, sample.count);
  say(
    context,
    `The compiled emulation answers ${sample.count} rows bit for bit as the library of its maker does.`,
  );
  const kept = Math.min(vectorRows, sample.count);
  const part = (bytes: Uint8Array) => bytes.subarray(0, (bytes.length / sample.count) * kept);
  await writeVectors(context, { rows: kept, inputs: part(inputs), outputs: part(answers) });
  const original = readProduct(context.work.path, emulation.original);
  if (original.length !== answers.length)
    throw fail("OUTPUT_INVALID", `${emulation.original} does not hold what the original answers.`);
  const measured = measure(context, subject, {
    rows: rowsOf(sample, inputs, sumOf(io.inputs)),
    synthetic: sample.rows === null,
    answers: outputsOf(answers, io),
    original: outputsOf(original, io),
  });
  return { ...measured, products: [{ role: "vectors", path: vectorsPath }] };
}

/** The rows as the program takes them: of each row, its inputs one behind the other. */
function rowBytes(sample: SampleRows): Uint8Array {
  const tensors = [...sampleFeeds(sample).values()].map(bytesOfFeed);
  const rows = Array.from({ length: sample.count }, (_, row) =>
    tensors.map((bytes) => {
      const size = bytes.length / sample.count;
      return bytes.subarray(row * size, (row + 1) * size);
    }),
  );
  return Buffer.concat(rows.flat());
}

/** What the program answers, once it has greeted and taken one question. */
async function answersOf(
  context: AttemptContext,
  { emulation, io }: EmulationSubject,
  { inputs, running }: { readonly inputs: Uint8Array; readonly running: Running },
): Promise<Uint8Array> {
  const { work, signal } = context;
  await work.write(questionsPath, questionOf(inputs));
  const output = logOutput(context, "verify");
  try {
    await runTool({
      ...running,
      tool: emulator(emulation.program),
      work: work.path,
      args: [],
      reads: [emulation.program, questionsPath],
      produces: [repliesPath],
      timeoutS: limitS,
      signal,
      onOutput: (stream, bytes) => output.write(stream, bytes),
    });
  } finally {
    output.end();
  }
  const reader = new ReplyReader();
  const [greeting, reply, ...more] = reader.push(readProduct(work.path, repliesPath));
  if (!greeting || !reply || more.length > 0 || reader.isWithin)
    throw fail("OUTPUT_INVALID", "The emulation did not answer one question by one reply.");
  requireGreeting(greeting, { inputs: sumOf(io.inputs), outputs: sumOf(io.outputs) });
  return payloadOf(reply);
}

function payloadOf({ kind, payload }: Reply): Uint8Array {
  if (kind === replyKinds.answer) return payload;
  throw fail(
    "VERIFICATION_FAILED",
    `The emulation refuses a row of the test: ${new TextDecoder().decode(payload)}.`,
  );
}

/** The program as a tool: a copy out of a cache may have lost its mode. */
const emulator = (program: string): Tool => ({
  command: program,
  version: "",
  needs: [],
  argv: () => [
    "/bin/sh",
    "-c",
    'chmod u+x "$1" && exec "./$1" <"$2" >"$3"',
    "sh",
    program,
    questionsPath,
    repliesPath,
  ],
});

function requireEqual(answers: Uint8Array, wanted: Uint8Array, rows: number): void {
  if (Buffer.compare(answers, wanted) === 0) return;
  const size = wanted.length / rows;
  const at = wanted.findIndex((byte, index) => byte !== answers[index]);
  throw fail(
    "VERIFICATION_FAILED",
    answers.length === wanted.length
      ? `The compiled emulation answers row ${Math.floor(at / size)} of ${rows} otherwise than the library of its maker.`
      : `The compiled emulation answers ${answers.length} bytes where the library of its maker answers ${wanted.length}.`,
  );
}

const floatsOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Float32Array =>
  new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength));

/** Each output of every row, one row behind the other. */
function outputsOf(bytes: Uint8Array, { outputs }: Plan["io"]): readonly Float32Array[] {
  const values = floatsOf(bytes);
  const stride = sumOf(outputs);
  let first = 0;
  return outputs.map(({ size }) => {
    const [begin, end] = [first, first + size];
    first = end;
    return values.filter((_, at) => at % stride >= begin && at % stride < end);
  });
}

function rowsOf({ rows, count }: SampleRows, inputs: Uint8Array, width: number): Rows {
  return {
    count,
    width,
    values: floatsOf(inputs),
    labels: rows?.labels?.slice(0, count) ?? null,
    ...(rows?.numbers ? { numbers: rows.numbers.slice(0, count) } : {}),
    source: rows?.source ?? "synthetic input",
  };
}

interface Answered {
  readonly rows: Rows;
  readonly synthetic: boolean;
  /** Of each output. */
  readonly answers: readonly Float32Array[];
  readonly original: readonly Float32Array[];
}

function measure(
  context: AttemptContext,
  { io, classNames }: EmulationSubject,
  { rows: given, synthetic, answers, original }: Answered,
): Pick<Verified, "proof"> & { readonly accuracy: Accuracy } {
  const outputs = compareOutputs({
    outputs: io.outputs,
    floats: original,
    integers: answers,
    rows: given,
    classNames,
  });
  const unmeasured = outputs.find(({ agreement }) => !Number.isFinite(agreement.maxAbsError));
  if (unmeasured) {
    throw fail(
      "VERIFICATION_FAILED",
      "The original gives no numbers to measure the emulation by.",
      {
        details: { node: unmeasured.name },
      },
    );
  }
  const accuracy = measureAccuracy({
    rows: given,
    synthetic,
    calibration: null,
    calibrationRows: null,
    classNames,
    outputs,
    clipping: [],
  });
  for (const { name, agreement } of outputs) {
    const which = outputs.length > 1 ? `, output ${name}` : "";
    sayAgreement(context, `${given.count} rows of ${given.source}${which}`, agreement);
  }
  sayAccuracy(context, accuracy);
  const [{ agreement }] = outputs;
  const { count } = given;
  const source = synthetic ? "synthetic input" : "held-back rows";
  const counts = { vectors: count, mismatches: 0, rows: synthetic ? 0 : count, source };
  return { proof: { ...agreement, ...counts }, accuracy };
}
