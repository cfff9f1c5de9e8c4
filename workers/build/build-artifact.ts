import { getBoardModel } from "@/boards";
import type { AttemptRow, Success } from "@/domain/builds";
import { setRunning } from "@/domain/builds";
import { type Engine, engines, exportOnnx, type Plan, runnableOnnx, type Variant } from "@/engines";
import type { Digest, Inspection, ProvenLevel } from "@/lib/common/contract";
import { fail, isAppError, type Reason } from "@/lib/common/errors";
import { runThread } from "@/lib/server/process";
import type { ObjectStore } from "@/lib/server/storage";
import { inspectAndRead } from "../inspect";
import type { ArtifactKey } from "./artifact-key";
import { insist } from "./attempt";
import { type AttemptContext, say } from "./stages/attempt-context";
import { checkConversion, writeRows } from "./stages/conversion";
import { runCommonSteps, runVariants } from "./stages/execute-plan";
import { fetchModel } from "./stages/fetch";
import { mutatePlan } from "./stages/mutation";
import { drawPlacement } from "./stages/placement";
import type { PlanTask } from "./stages/plan.thread";
import { findPlanTools } from "./stages/plan-tools";
import { proveReused } from "./stages/prove-reused";
import { settleRows } from "./stages/rows";
import { storeArtifact } from "./stages/store";
import { findOrAwaitArtifact } from "./stages/twin";
import { findVendorTools } from "./stages/vendor-tools";
import { checkImport, reproducible, verify, withProof } from "./stages/verify";
import { verifyBitstream, verifyNetlist, verifyShell } from "./stages/verify-line";
import type { Sandbox, StepCache, Toolchain, ToolLimits } from "./tools";

/** What a build worker has for all its builds. */
export interface BuildTools {
  readonly store: ObjectStore;
  readonly key: ArtifactKey;
  readonly toolchain: Toolchain;
  readonly sandbox: Sandbox;
  /** What a tool may use; else as much as is usual. */
  readonly limits?: Partial<ToolLimits>;
  readonly cache: StepCache;
  readonly sourceDigest: Digest;
  /** Tests only; see `mutatePlan`. */
  readonly mutation: string | null;
}

const planLimitMs = 600_000;
const verifyLevel = { netlist: verifyNetlist, shell: verifyShell, bitstream: verifyBitstream };

/** Takes one attempt from the model's URL to a stored artifact, or to an equal one that was there already. */
export async function buildArtifact(
  context: AttemptContext,
  { request, board }: AttemptRow,
  tools: BuildTools,
): Promise<Success> {
  const { signal, stages } = context;
  const engine = findEngine(request.engine);
  const boardModel = getBoardModel(board.boardModel);
  const vendor = await findVendorTools(context, { engine, boardModel, kind: board.kind }, tools);
  const { bytes, digest, card, beside, given } = await fetchModel(context, request, tools.store);

  stages.enter("inspect");
  const { inspection, graph, savedModel } = await inspectAndRead(bytes, { card, signal });
  refuseUntaken(engine, inspection);
  const model = { format: inspection.format, bytes, digest, graph, savedModel };
  // What ONNX Runtime judges: the model itself, or what was read of it.
  const isImported = graph !== null && inspection.format !== "onnx";
  const judged = isImported ? exportOnnx(graph) : runnableOnnx(bytes, graph);
  const { inputs = [] } = graph ?? savedModel?.signature ?? {};
  const rows = await settleRows(
    { inputs },
    { card, beside, given },
    { signal, say: (text, level) => say(context, text, level) },
  );
  const names = ({ inputs, outputs }: typeof inspection) =>
    `${inputs.map(({ name }) => name).join(", ")} → ${outputs.map(({ name }) => name).join(", ")}`;
  say(context, `${inspection.format}: ${inspection.parameters} parameters, ${names(inspection)}.`);
  if (graph && (engine.kind === "fpga" || isImported)) {
    await checkImport(context, { model: judged, graph, rows: rows.heldBack }).catch((error) => {
      // A processor runs operators that only the float interpreter lacks.
      const unknown = isAppError(error) && error.reason === "OPERATOR_UNSUPPORTED";
      if (engine.kind === "fpga" || !unknown) throw error;
      say(context, `What was read could not be checked by our own arithmetic: ${error.message}`);
    });
  }

  stages.enter("plan");
  const { versions: toolVersions, checks } = await findPlanTools(
    engine,
    { format: model.format, board: boardModel },
    tools.toolchain,
    vendor.versions,
  );
  const task: PlanTask = {
    engine: engine.id,
    model,
    card,
    calibration: rows.calibration,
    boardModel: board.boardModel,
    boardKind: board.kind,
    options: request.options ?? {},
    toolVersions,
    sourceDigest: tools.sourceDigest,
  };
  const planned = await runThread<Plan>("workers/build/stages/plan.thread", task, {
    signal,
    timeoutMs: planLimitMs,
  });
  sayPlan(context, planned);
  const found = await findOrAwaitArtifact(context, planned.digest, tools.store);
  if (found && tools.mutation === null) {
    await proveReused(context, found, { plan: planned, engine, checks, toolVersions, ...tools });
    say(context, `The artifact of an equal build is taken: ${found.artifactDigest}.`);
    return { reuse: { artifactDigest: found.artifactDigest, fromBuildId: found.buildId } };
  }

  await insist(signal, () => setRunning(context.buildId, context.epoch));
  const plan = tools.mutation === null ? planned : mutatePlan(planned, tools.mutation);
  const execution = { plan, engine, checks, toolVersions, ...tools };
  const classNames = card?.classes ?? null;
  const hasClasses = classNames !== null;
  const { conversion, io } = plan;
  const subject = conversion && { conversion, io, heldBack: rows.heldBack, hasClasses };
  if (subject) await writeRows(context, subject);
  await runCommonSteps(context, execution);
  const converted = subject ? await checkConversion(context, subject) : null;
  // Before the slow tools: a wrong design is not worth placing.
  const checked = await verify(context, {
    plan,
    model: converted?.model ?? judged,
    graph: converted?.graph ?? graph,
    heldBack: rows.heldBack,
    calibration: rows.calibration,
    classNames,
  });
  const verified = converted?.proof ? { ...checked, proof: converted.proof } : checked;
  if (vendor.missing !== null)
    for (const stage of ["place", "pack"] as const) context.stages.skip(stage, vendor.missing);
  const proven = new Map<Variant, ProvenLevel[]>();
  const finished = await runVariants(context, execution, async (context, variant, level) => {
    const found = await verifyLevel[level](context, { plan, variant }, verified);
    if (found) proven.set(variant, [...(proven.get(variant) ?? []), found]);
  });
  const levels = finished ? proven.get(finished.variant) : [];
  if (!levels) throw new TypeError("a variant without a proven netlist");
  // Nothing was placed, so there is nothing to read.
  const outcome = finished?.outcome ?? engine.outcome(plan, { variant: null, text: () => null });
  const artifact = await storeArtifact(
    context,
    {
      plan,
      report: withProof(outcome.report, verified, levels),
      stored: withProof(outcome.report, reproducible(verified), []),
      sourceDigest: tools.sourceDigest,
      toolVersions,
      clockHz: finished?.variant.clockHz ?? null,
      products: [
        ...plan.products,
        ...verified.products,
        ...(await drawPlacement(context, outcome)),
      ],
    },
    tools,
  );
  return { artifact };
}

/** The engine's own words come before any trial of the model. */
function refuseUntaken(engine: Engine, { engines: verdicts }: Inspection): void {
  const verdict = verdicts.find(({ id }) => id === engine.id);
  if (!verdict || verdict.ok) return;
  const {
    reason = "MODEL_UNSUPPORTED",
    message = `${engine.title} does not take this model.`,
    hint,
  } = verdict;
  throw fail(reason as Reason, message, hint === undefined ? {} : { hint });
}

function findEngine(id: string): Engine {
  const engine = engines.find((each) => each.id === id);
  if (!engine) throw fail("ENGINE_UNKNOWN", `There is no engine called ${id}.`);
  return engine;
}

function sayPlan(context: AttemptContext, { digest, forecast, variants }: Plan): void {
  const { lanes, latencyCycles, resources, notes = [] } = forecast;
  const facts = [
    ...(lanes === undefined ? [] : [`${lanes} lanes`]),
    ...(latencyCycles === undefined ? [] : [`${latencyCycles} cycles a row`]),
    ...resources.map(({ name, used, available }) => `${name} about ${used} of ${available}`),
    ...(variants.length === 0 ? [] : [`clocks ${variants.map(({ name }) => name).join(", ")}`]),
  ];
  say(context, `Plan ${digest}${facts.length > 0 ? `: ${facts.join("; ")}.` : "."}`);
  for (const note of notes) say(context, note);
}
