import { type Graph, type Plan, parseMadeReference } from "@/engines";
import {
  type Accuracy,
  type FileRole,
  type Proof,
  type ProvenLevel,
  type Report,
  vectorsSchema,
} from "@/lib/common/contract";
import { fail, isAppError } from "@/lib/common/errors";
import type { Rows } from "@/lib/common/rows";
import { runThread } from "@/lib/server/process";
import { rowsOfVectors } from "../../agreement";
import { readProduct } from "../tools";
import { type AttemptContext, say } from "./attempt-context";
import type { CpuAnswer, FloatTask, Measured } from "./float.thread";
import type { VerifyAnswer, VerifyTask } from "./verify.thread";

/** A model as it was read, with the rows that were not used to calibrate it. */
export interface VerifySubject {
  readonly plan: Plan;
  readonly model: Uint8Array;
  readonly graph: Graph | null;
  readonly heldBack: Rows | null;
  /** Rows that ranges were chosen from, where any were given. */
  readonly calibration: Rows | null;
  /** Classes that the card names. */
  readonly classNames: readonly string[] | null;
}

/** What verifying found, for report and artifact. */
export interface Verified {
  readonly proof: Proof | null;
  readonly accuracy?: Accuracy;
  readonly simulatedCyclesPerSecond?: number;
  /** Of firmware whose rows take cycles by their values: the most that any vector took. */
  readonly mostCycles?: number;
  /** Of firmware: what the core answers to the vectors. */
  readonly outputs?: Uint8Array;
  /** Files that verifying added to the work folder. */
  readonly products: readonly { readonly role: FileRole; readonly path: string }[];
}

/** Name of the vector file in the work folder. */
export const vectorsPath = "vectors.json";
const limitMs = 1_800_000;
const syntheticRows = 256;

/**
 * Holds what was built against what was asked for. Firmware: the simulated design answers every vector exactly like the
 * software model. CPU artifacts: ONNX Runtime loads and answers. Then the distance from the float model is measured.
 *
 * @throws {AppError} `VERIFICATION_FAILED`
 */
export async function verify(context: AttemptContext, subject: VerifySubject): Promise<Verified> {
  context.stages.enter("verify");
  return subject.plan.kind === "firmware"
    ? await verifyFirmware(context, subject)
    : await verifyModel(context, subject);
}

async function verifyFirmware(context: AttemptContext, subject: VerifySubject): Promise<Verified> {
  const { plan } = subject;
  const { core, vectors, taps } = plan;
  const reference = referenceOf(context, plan);
  const simulation = plan.products.find(({ role }) => role === "simulation");
  if (!core || !reference || !simulation) throw new TypeError("firmware without a simulation");
  const task: VerifyTask = {
    work: context.work.path,
    simulation: simulation.path,
    core,
    reference,
    taps,
    vectors,
  };
  const answer = await runThread<VerifyAnswer>("workers/builds/stages/verify.thread", task, {
    signal: context.signal,
    timeoutMs: limitMs,
  });
  const perSecond = Math.round(answer.simulatedCycles / (answer.simulatedMs / 1000));
  say(
    context,
    `The design answers all ${vectors.length} vectors as its software model does, bit for bit.`,
  );
  say(context, `It is simulated at ${perSecond} cycles a second.`);

  await writeVectors(context, {
    rows: vectors.length,
    inputs: Buffer.concat(
      vectors.map((row) => Buffer.from(row.buffer, row.byteOffset, row.length)),
    ),
    outputs: answer.outputs,
  });
  const found = plan.referenceFrom ? proofOfMade(subject) : await proofOf(context, subject);
  return {
    proof: found?.proof ?? null,
    ...(found?.accuracy ? { accuracy: found.accuracy } : {}),
    simulatedCyclesPerSecond: perSecond,
    ...(core.latencyVaries ? { mostCycles: answer.mostCycles } : {}),
    outputs: answer.outputs,
    products: [{ role: "vectors", path: vectorsPath }],
  };
}

/** The software model: the plan's, or what a step made of a model that only its tool reads. */
function referenceOf({ work }: AttemptContext, { reference, referenceFrom }: Plan) {
  if (!reference || referenceFrom === undefined) return reference;
  return parseMadeReference(readProduct(work.path, referenceFrom).toString("utf8"), reference);
}

/** The tool that made the software model held it against the original on every vector, and refused what differs. */
function proofOfMade({ plan }: VerifySubject): {
  readonly proof: Proof;
  readonly accuracy?: Accuracy;
} {
  const vectors = plan.vectors.length;
  return {
    proof: {
      vectors,
      mismatches: 0,
      levels: [{ level: "rtl", vectors }],
      rows: 0,
      maxAbsError: 0,
      agreement: null,
      source: "the original, on every vector",
    },
  };
}

/** Distance from the float model, on rows that calibration never saw. */
async function proofOf(
  context: AttemptContext,
  subject: VerifySubject,
): Promise<{ proof: Proof; accuracy: Accuracy } | null> {
  const { plan, model, graph, heldBack, calibration, classNames } = subject;
  const vectors = plan.vectors.length;
  const base = { vectors, mismatches: 0, levels: [{ level: "rtl" as const, vectors }] };
  const rows = heldBack ?? rowsOfVectors(plan.vectors.slice(-syntheticRows), plan.io);
  if (!rows || !graph || !plan.reference) return null;
  const { agreement, accuracy } = await float<Measured>(context, {
    kind: "agreement",
    model,
    graph,
    reference: plan.reference,
    io: plan.io,
    rows,
    synthetic: heldBack === null,
    calibration: plan.forecast.calibration ?? null,
    calibrationRows: calibration,
    classNames,
  });
  const { outputs = [] } = accuracy;
  const unmeasured = outputs.find(({ maxAbsError }) => !Number.isFinite(maxAbsError));
  if (unmeasured) {
    throw fail(
      "VERIFICATION_FAILED",
      "The float model gives no numbers to measure the design by.",
      { details: { node: unmeasured.output } },
    );
  }
  for (const each of outputs) {
    const name = outputs.length > 1 ? `, output ${each.output}` : "";
    sayAgreement(context, `${rows.count} rows of ${rows.source}${name}`, {
      ...each,
      accuracy: each.integerAccuracy,
    });
  }
  sayAccuracy(context, accuracy);
  const proof = {
    ...base,
    ...agreement,
    rows: heldBack ? rows.count : 0,
    source: heldBack ? "held-back rows" : "synthetic input",
  };
  return { proof, accuracy };
}

async function verifyModel(context: AttemptContext, subject: VerifySubject): Promise<Verified> {
  const { model, graph, heldBack, classNames } = subject;
  if (!graph) return { proof: null, products: [] };
  const classes = classNames !== null || (heldBack?.labels ?? null) !== null;
  const answer = await float<CpuAnswer>(context, {
    kind: "answer",
    model,
    graph,
    rows: heldBack,
    classes,
  }).catch((error: unknown) => {
    // A datatype that cannot be made up here: the board server tries the model before it serves it.
    if (isAppError(error) && error.reason === "MODEL_UNSUPPORTED") return null;
    throw error;
  });
  if (!answer) return { proof: null, products: [] };
  say(context, `ONNX Runtime loads the model and answers ${answer.rows} rows.`);
  const texts = [...graph.inputs, ...graph.outputs].some(({ datatype }) => datatype === "BYTES");
  if (!texts) await writeVectors(context, answer);
  const agreement = Number.isFinite(answer.agreement?.maxAbsError) ? answer.agreement : null;
  if (agreement && heldBack) {
    sayAgreement(context, `${heldBack.count} rows of ${heldBack.source}`, agreement);
  }
  const proof: Proof | null = agreement && {
    ...agreement,
    vectors: answer.rows,
    mismatches: 0,
    rows: heldBack?.count ?? 0,
    source: "held-back rows",
  };
  return { proof, products: texts ? [] : [{ role: "vectors", path: vectorsPath }] };
}

/**
 * Holds our reading of a model against ONNX Runtime's, before anything is built from it. No engine can leave it out.
 *
 * @throws {AppError} `IMPORT_MISMATCH` naming the output.
 */
export async function checkImport(
  context: AttemptContext,
  {
    model,
    graph,
    rows,
  }: { readonly model: Uint8Array; readonly graph: Graph; readonly rows: Rows | null },
): Promise<void> {
  const count = await float<number>(context, { kind: "check-import", model, graph, rows });
  say(context, `Our reading of the model agrees with ONNX Runtime on ${count} rows.`);
}

function float<T>({ signal }: AttemptContext, task: FloatTask): Promise<T> {
  return runThread<T>("workers/builds/stages/float.thread", task, { signal, timeoutMs: limitMs });
}

/** Writes the vector file: rows one behind the other. */
export async function writeVectors(
  { work }: AttemptContext,
  vectors: { readonly rows: number; readonly inputs: Uint8Array; readonly outputs: Uint8Array },
): Promise<void> {
  const file = vectorsSchema.parse({
    rows: vectors.rows,
    inputs: Buffer.from(vectors.inputs).toString("base64"),
    outputs: Buffer.from(vectors.outputs).toString("base64"),
  });
  await work.write(vectorsPath, JSON.stringify(file));
}

/** Tells how near answers come, after what they are answers to. */
export function sayAgreement(
  context: AttemptContext,
  subject: string,
  agreement: Measured["agreement"],
): void {
  const { maxAbsError, agreement: share, accuracy, floatAccuracy } = agreement;
  const percent = (part: number) => `${(part * 100).toFixed(1)} %`;
  const parts = [
    `${subject}: largest error ${maxAbsError.toPrecision(3)}`,
    ...(typeof share === "number" ? [`same class as the float model on ${percent(share)}`] : []),
    ...(typeof accuracy === "number" && typeof floatAccuracy === "number"
      ? [`accuracy ${percent(accuracy)}, the float model's ${percent(floatAccuracy)}`]
      : []),
  ];
  say(context, `${parts.join("; ")}.`);
}

/** Tells what the rows are worth, and which values saturate. */
export function sayAccuracy(context: AttemptContext, { test, labelled, clipping }: Accuracy): void {
  if (!labelled)
    say(context, "The rows have no labels: only the agreement with the float model is known.");
  if (test.shared > 0) {
    say(
      context,
      `${test.shared} of ${test.rows} test rows are also among those to calibrate with: they flatter the result.`,
      "warning",
    );
  }
  const clipped = clipping.filter(({ share }) => share > 0);
  const parts = clipped.map(({ tensor, share }) => `${tensor} ${(share * 100).toFixed(2)} %`);
  if (parts.length > 0) say(context, `Values that saturate: ${parts.join(", ")}.`);
}

/**
 * What the same plan proves again on any machine. Rows that fit into a time, checkers that happen to be there and speeds
 * are evidence: the database holds them beside the artifact, whose bytes they do not change.
 */
export function reproducible({ simulatedCyclesPerSecond: _, ...verified }: Verified): Verified {
  return verified;
}

/** The report with what verifying found, at every level. */
export function withProof(
  report: Report,
  { proof, accuracy, mostCycles, simulatedCyclesPerSecond }: Verified,
  levels: readonly ProvenLevel[],
): Report {
  return {
    ...report,
    ...(proof
      ? { proof: proof.levels ? { ...proof, levels: [...proof.levels, ...levels] } : proof }
      : {}),
    ...(accuracy ? { accuracy } : {}),
    ...(mostCycles === undefined ? {} : { latencyCycles: mostCycles }),
    ...(simulatedCyclesPerSecond === undefined ? {} : { simulatedCyclesPerSecond }),
  };
}
