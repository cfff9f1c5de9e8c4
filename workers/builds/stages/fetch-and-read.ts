import { type Engine, exportOnnx, findHgqLayer, type ParsedModel, runnableOnnx } from "@/engines";
import type { Inspection, ModelCard, NewRevision } from "@/lib/common/contract";
import { fail, isAppError, isReason } from "@/lib/common/errors";
import type { ObjectStore } from "@/lib/server/storage";
import { inspectAndRead } from "../../inspect";
import { type SplitRows, settleRows, withGivenRange } from "../../rows";
import { type AttemptContext, say } from "./attempt-context";
import { fetchModel } from "./fetch";
import { readAndNote } from "./read-and-note";
import { checkImport } from "./verify";

/** A model as it was fetched and read, with what goes with it. */
export interface ReadModel {
  readonly model: ParsedModel;
  /** What ONNX Runtime judges: the model itself, or what was read of it. */
  readonly judged: Uint8Array;
  readonly card: ModelCard | null;
  readonly rows: SplitRows;
}

/**
 * Fetches and inspects a model, and settles the rows that go with it. What was read of it is held against ONNX Runtime.
 *
 * @throws {AppError} why the engine does not take it; `IMPORT_MISMATCH`, and what fetching and inspecting throw.
 */
export async function fetchAndRead(
  context: AttemptContext,
  request: Pick<NewRevision, "model" | "calibration" | "inputRange">,
  {
    engine,
    kind,
    store,
  }: {
    readonly engine: Engine;
    /** What the engine is for the board. */
    readonly kind: Engine["kind"];
    readonly store: ObjectStore;
  },
): Promise<ReadModel> {
  const { signal } = context;
  const fetched = await fetchModel(context, request, store);
  const { bytes, digest, beside, given } = fetched;
  context.stages.enter("inspect");
  const { inspection, graph, savedModel, firmware } = await readAndNote(
    context,
    { url: request.model.url, digest, sizeBytes: bytes.length },
    () => inspectAndRead(bytes, { card: fetched.card, beside: fetched.parts, signal }),
  );
  refuseUntaken(engine, inspection);
  const isImported = graph !== null && inspection.format !== "onnx";
  const opaque = graph && findHgqLayer(graph);
  const judged = opaque ? bytes : isImported ? exportOnnx(graph) : runnableOnnx(bytes, graph);
  const { inputs = [] } = graph ?? savedModel?.signature ?? {};
  const range = kind === "fpga" ? request.inputRange : undefined;
  const card = withGivenRange(fetched.card, range, inputs);
  const rows = await settleRows(
    { inputs },
    { card, beside, given },
    { signal, say: (text, level) => say(context, text, level) },
  );
  sayInspection(context, inspection);
  if (opaque) {
    say(context, `${opaque.name} is a layer of HGQ2: only HGQ2 itself, in the sandbox, runs it.`);
  } else if (graph && (kind === "fpga" || isImported)) {
    await checkReading(context, kind, { model: judged, graph, rows: rows.heldBack });
  }
  const model = {
    format: inspection.format,
    bytes,
    digest,
    graph,
    savedModel,
    ...(firmware ? { firmware } : {}),
  };
  return { model, judged, card, rows };
}

async function checkReading(
  context: AttemptContext,
  kind: Engine["kind"],
  subject: Parameters<typeof checkImport>[1],
): Promise<void> {
  await checkImport(context, subject).catch((error) => {
    // A processor runs operators that only the float interpreter lacks.
    const unknown = isAppError(error) && error.reason === "OPERATOR_UNSUPPORTED";
    if (kind === "fpga" || !unknown) throw error;
    say(context, `What was read could not be checked by our own arithmetic: ${error.message}`);
  });
}

function sayInspection(
  context: AttemptContext,
  { format, parameters, inputs, outputs, firmware }: Inspection,
): void {
  if (firmware) {
    const { boardModel, device } = firmware;
    say(
      context,
      `${format}: firmware for ${boardModel ?? device ?? "a board that it does not name"}.`,
    );
    return;
  }
  const namesOf = (tensors: readonly { readonly name: string }[]) =>
    tensors.map(({ name }) => name).join(", ");
  say(context, `${format}: ${parameters} parameters, ${namesOf(inputs)} → ${namesOf(outputs)}.`);
}

/** The engine's own words come before any trial of the model. */
function refuseUntaken(engine: Engine, { engines: verdicts }: Inspection): void {
  const verdict = verdicts.find(({ id }) => id === engine.id);
  if (!verdict || verdict.ok) return;
  const { message = `${engine.title} does not take this model.`, hint } = verdict;
  const reason = isReason(verdict.reason) ? verdict.reason : "MODEL_UNSUPPORTED";
  throw fail(reason, message, hint === undefined ? {} : { hint });
}
