import { getBoardModel } from "@/boards";
import type { AttemptRow, NewArtifact, Success } from "@/domain/builds";
import { setRunning } from "@/domain/builds";
import { getEngine, type Plan } from "@/engines";
import type { Digest } from "@/lib/common/contract";
import type { ObjectStore } from "@/lib/server/storage";
import type { ArtifactKey } from "./artifact-key";
import { insist } from "./attempt";
import type { BondHost } from "./hosts";
import { type AttemptContext, say } from "./stages/attempt-context";
import { buildAndProve, type Proven } from "./stages/build-and-prove";
import { fetchAndRead } from "./stages/fetch-and-read";
import { findOrAwaitArtifact } from "./stages/find-or-await-artifact";
import { mutatePlan } from "./stages/mutate-plan";
import { reportOfOrigin } from "./stages/origin";
import { drawPlacement } from "./stages/placement";
import { planInThread } from "./stages/plan";
import { findPlanTools } from "./stages/plan-tools";
import { proveReused } from "./stages/prove-reused";
import type { ExecuteOptions } from "./stages/run-steps";
import { storeArtifact } from "./stages/store";
import { findVendorTools } from "./stages/vendor-tools";
import { reproducible, withProof } from "./stages/verify";
import type { Sandbox, StepCache, Toolchain, ToolLimits } from "./tools";

/** What a build worker has for all its builds. */
export interface BuildTools {
  readonly store: ObjectStore;
  readonly key: ArtifactKey;
  readonly toolchain: Toolchain;
  readonly sandbox: Sandbox;
  /** What a tool may use; else as much as is usual. */
  readonly limits?: Partial<ToolLimits>;
  /** Whether bitstreams are read back where the machine has the tools. */
  readonly readsBack: boolean;
  readonly cache: StepCache;
  /** The build server that is asked, where this worker knows one. */
  readonly host?: BondHost | null;
  readonly sourceDigest: Digest;
  /** Tests only; see `mutatePlan`. */
  readonly mutation: string | null;
}

/** Takes one attempt from the model's URL to a stored artifact, or to an equal one that was there already. */
export async function buildArtifact(
  context: AttemptContext,
  { request, board }: AttemptRow,
  tools: BuildTools,
): Promise<Success> {
  const { sourceDigest, mutation, store, toolchain } = tools;
  const engine = getEngine(request.engine);
  const boardModel = getBoardModel(board.boardModel);
  const vendor = await findVendorTools(context, { engine, boardModel, kind: board.kind }, tools);
  const kind = engine.kindOn?.(boardModel) ?? engine.kind;
  const read = await fetchAndRead(context, request, { engine, kind, store });

  context.stages.enter("plan");
  const { versions: toolVersions, checks: canCheck } = await findPlanTools(
    engine,
    { format: read.model.format, board: boardModel, options: request.options ?? {} },
    toolchain,
    vendor.versions,
  );
  const planned = await planInThread(context, {
    engine: engine.id,
    model: read.model,
    card: read.card,
    sourceName: sourceNameOf(request.model.url),
    calibration: read.rows.calibration,
    boardModel: board.boardModel,
    boardKind: board.kind,
    options: request.options ?? {},
    toolVersions,
    sourceDigest,
  });
  const execution = { engine, checks: canCheck && tools.readsBack, toolVersions, ...tools };
  const reused = await reuseEqual(context, planned, execution);
  if (reused) return reused;

  const seconds = planned.forecast?.expected?.figures.seconds;
  const expectedMs = seconds === undefined ? null : Math.round(seconds * 1000);
  await insist(context.signal, () => setRunning(context.buildId, context.epoch, expectedMs));
  const plan = mutation === null ? planned : mutatePlan(planned, mutation);
  const proven = await buildAndProve(context, read, { plan, ...execution }, vendor.missing);
  return { artifact: await storeProven(context, proven, { plan, ...execution }) };
}

/** `banknote` of `https://…/banknote.bit?…`. */
const sourceNameOf = (url: string): string =>
  (new URL(url).pathname.split("/").at(-1) ?? "").replace(/[.][a-z]+$/i, "");

type Execution = ExecuteOptions & BuildTools;

/** Takes the artifact of an equal build, made or under way; null where there is none. */
async function reuseEqual(
  context: AttemptContext,
  plan: Plan,
  execution: Omit<Execution, "plan">,
): Promise<Success | null> {
  const found = await findOrAwaitArtifact(context, plan.digest, execution.store);
  if (!found || execution.mutation !== null) return null;
  await proveReused(context, found, { plan, ...execution });
  say(context, `The artifact of an equal build is taken: ${found.artifactDigest}.`);
  return { reuse: { artifactDigest: found.artifactDigest, fromBuildId: found.buildId } };
}

async function storeProven(
  context: AttemptContext,
  { outcome, verified, levels, clockHz }: Proven,
  { plan, sourceDigest, toolVersions, store, key }: Execution,
): Promise<NewArtifact> {
  const drawn = await drawPlacement(context, outcome);
  const known = withProof(outcome.report, verified, levels);
  return await storeArtifact(
    context,
    {
      plan,
      report: await reportOfOrigin(context, plan, known),
      stored: withProof(outcome.report, reproducible(verified), []),
      sourceDigest,
      toolVersions,
      clockHz,
      products: [...plan.products, ...verified.products, ...drawn],
    },
    { store, key },
  );
}
