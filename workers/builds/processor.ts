import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import {
  type AttemptRow,
  appendLog,
  claimNextBuild,
  compactLog,
  failBuild,
  giveUpAttempt,
  handBackBuild,
  type LeaseState,
  listUncompacted,
  markLogTruncated,
  renewLease,
  saveStages,
  succeedBuild,
} from "@/domain/builds";
import { leaseLost } from "@/domain/leases";
import { type AppError, fail, toAppError, toErrorData } from "@/lib/common/errors";
import { fault } from "@/lib/server/process";
import { secretsOfProject } from "../fetch";
import { defineProcessor, type JobContext, keepLease, type Processor } from "../runtime";
import {
  insist,
  isDiskFull,
  makeWorkFolder,
  nameFullDisk,
  StageTracker,
  type WorkFolder,
} from "./attempt";
import { type BuildTools, buildArtifact } from "./build-artifact";
import { LogWriter } from "./log";
import { type AttemptContext, say } from "./stages/attempt-context";

/** How long builds and leases last, and where work is done. */
export interface BuildSettings {
  readonly home: string;
  readonly leaseS: number;
  readonly renewS: number;
  readonly deadlineS: number;
  /** How long vectors may go through the simulated line of one level of a proof. */
  readonly proofS: number;
  /** How long an attempt keeps what it made while the object store is away; then another one makes it again. */
  readonly storePatienceS: number;
  /** How long the worker takes no other build after its disk was full; left out: half a minute. */
  readonly fullRestS?: number;
  /** Values that may never show in a log. */
  readonly secrets: readonly string[];
}

/** Faults of what a build stands on, not of the build: another attempt may fare better. */
const passing: ReadonlySet<string> = new Set(["OBJECT_DAMAGED", "STORE_UNAVAILABLE"]);
const isPassing = (why: AppError) => passing.has(why.reason) || isDiskFull(why);

/** How long an attempt's end is tried to be written while the database is away. */
const endPatienceMs = 600_000;

/**
 * Runs one attempt of the build whose turn it is; the job says only that one waits. Safe to run twice: the claim answers null
 * unless a build waits, and every write of the attempt fails once somebody holds a newer epoch.
 */
export function createBuildProcessor(settings: BuildSettings, tools: BuildTools): Processor {
  return defineProcessor({
    name: "build.run",
    queue: "build",
    payload: z.object({ buildId: z.uuid() }),
    async run(_, ctx) {
      fault("worker.before-claim");
      const attempt = await claimNextBuild(ctx.workerId, settings);
      if (!attempt) return;
      const log = ctx.log.child({ taken: attempt.buildId });
      await runAttempt(attempt, { ...ctx, log }, { settings, tools });
    },
  });
}

interface Running {
  readonly attempt: AttemptRow;
  readonly ctx: JobContext;
  /** Aborts when the lease is lost, the build is cancelled or its time is over. */
  readonly end: AbortController;
  readonly context: AttemptContext;
  readonly log: LogWriter;
  readonly tracker: StageTracker;
}

async function runAttempt(
  attempt: AttemptRow,
  ctx: JobContext,
  { settings, tools }: { readonly settings: BuildSettings; readonly tools: BuildTools },
): Promise<void> {
  const { buildId, epoch } = attempt;
  const end = new AbortController();
  const lease = keepLease({
    renewS: settings.renewS,
    renew: async () => whyToEnd(await renewLease(buildId, epoch, settings.leaseS)),
    onEnd: (why) => end.abort(why),
  });
  const work = await makeWorkFolder(settings.home, attempt).catch(async (error: unknown) => {
    lease.close();
    await endAttempt({ buildId, epoch }, toAppError(nameFullDisk(error)));
    if (!isDiskFull(error)) throw error;
    return null;
  });
  if (!work) return await rest(settings, ctx);
  const secrets = [...settings.secrets, ...(await secretsOf(attempt, { ctx, end }))];
  const running = {
    ...{ attempt, ctx, end },
    ...contextOf({ attempt, ctx, end }, work, { ...settings, secrets }),
  };
  const { context, tracker } = running;
  let isFull = false;
  try {
    const success = await buildArtifact(context, attempt, tools);
    context.stages.leave("succeeded");
    tracker.skipRest();
    await finish(running, () => succeedBuild(buildId, epoch, success));
    fault("worker.after-commit");
  } catch (thrown) {
    isFull = isDiskFull(thrown);
    await endBadly(running, nameFullDisk(thrown));
  } finally {
    lease.close();
    await work.remove();
  }
  const notCompacted = (err: unknown) => ctx.log.warn({ err }, "log not compacted");
  await compact(attempt, tools, notCompacted).catch(notCompacted);
  if (isFull) await rest(settings, ctx);
}

/** Leaves what waits to workers that have room: one that fails at once would otherwise take each build before they do. */
async function rest({ fullRestS = 30 }: BuildSettings, { log, signal }: JobContext): Promise<void> {
  log.warn({ fullRestS }, "the disk is full: no build is taken for a while");
  await delay(fullRestS * 1000, undefined, { signal }).catch(() => {});
}

/** The attempt's end: for another one where this may fare better, else the build's. */
async function endAttempt(
  { buildId, epoch }: { readonly buildId: string; readonly epoch: number },
  why: AppError,
): Promise<void> {
  const problem = toErrorData(why);
  if (isPassing(why)) await giveUpAttempt(buildId, epoch, problem);
  else await failBuild(buildId, epoch, problem, stateOf(why));
}

/** What the project's connections are opened with: no log shows it. Where it cannot be read, nothing can be fetched with it either. */
async function secretsOf(
  { projectId }: AttemptRow,
  { ctx: { log, signal: stopped }, end }: Pick<Running, "ctx" | "end">,
): Promise<string[]> {
  const signal = AbortSignal.any([stopped, end.signal]);
  return await insist(signal, () => secretsOfProject(projectId)).catch((err: unknown) => {
    log.warn({ err }, "connections of the project not read");
    return [];
  });
}

/** What the stages of an attempt work with, and what keeps track of them. */
function contextOf(
  { attempt, ctx, end }: Pick<Running, "attempt" | "ctx" | "end">,
  work: WorkFolder,
  { secrets, proofS, storePatienceS }: BuildSettings,
): Pick<Running, "context" | "log" | "tracker"> {
  const { buildId, epoch, projectId } = attempt;
  const log = new LogWriter({
    append: async (lines, truncated) => {
      await appendLog(buildId, epoch, lines);
      if (truncated) await markLogTruncated(buildId, epoch);
    },
    spillPath: work.spillPath,
    onLost: (why) => end.abort(why),
  });
  const tracker = new StageTracker({
    save: (list) => saveStages(buildId, epoch, list),
    linesOf: (stage) => log.linesOf(stage),
  });
  const context: AttemptContext = {
    buildId,
    epoch,
    projectId,
    signal: AbortSignal.any([ctx.signal, end.signal]),
    work,
    stages: tracker.track(),
    log,
    proofMs: proofS * 1000,
    storePatienceMs: storePatienceS * 1000,
    secrets,
  };
  return { context, log, tracker };
}

/** Lines, stages and tidying come before the end, so that nobody sees an end and misses what led to it. */
async function finish(
  { end, context, log, tracker }: Running,
  write: (patience: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const limit = AbortSignal.timeout(endPatienceMs);
  await log.close(limit);
  await tracker.flush();
  await context.work.remove();
  const patience = end.signal.aborted ? limit : AbortSignal.any([limit, end.signal]);
  await insist(patience, () => write(patience));
}

async function endBadly(running: Running, thrown: unknown): Promise<void> {
  const { ctx, end, context } = running;
  const { buildId, epoch } = context;
  const why = end.signal.aborted ? toAppError(end.signal.reason) : toAppError(thrown);
  if (why.reason === "LEASE_LOST") return ctx.log.warn({ epoch }, "lease lost");
  if (ctx.signal.aborted && !end.signal.aborted) {
    say(context, "The worker stops: this build goes back into the queue.", "warning");
    return await finish(running, () => handBackBuild(buildId, epoch));
  }
  if (why.reason === "INTERNAL") ctx.log.error({ err: thrown }, "build failed");
  // To be stopped by a person is no problem of the build.
  const level = why.reason === "CANCELLED" ? "info" : "error";
  say(context, why.hint ? `${why.message} ${why.hint}` : why.message, level);
  context.stages.leave("failed");
  await finish(running, () => endAttempt(context, why)).catch((error: unknown) => {
    if (toAppError(error).reason !== "LEASE_LOST") throw error;
  });
}

function whyToEnd({ held, cancelRequested, deadlinePassed }: LeaseState): AppError | null {
  if (!held) return leaseLost("build");
  if (cancelRequested) return fail("CANCELLED", "Cancelled.");
  if (deadlinePassed) return fail("BUILD_TIMED_OUT", "The build took longer than it may.");
  return null;
}

function stateOf({ reason }: AppError): "failed" | "timed_out" | "cancelled" {
  if (reason === "CANCELLED") return "cancelled";
  return reason === "BUILD_TIMED_OUT" || reason === "TOOL_TIMED_OUT" ? "timed_out" : "failed";
}

/** Logs of earlier attempts that one attempt takes along, so that those of dead workers do not stay. */
const compactedBeside = 4;

/** Moves the log of an ended attempt into the store, and some that were left behind. */
async function compact(
  attempt: AttemptRow,
  { store }: BuildTools,
  onError: (err: unknown) => void,
): Promise<void> {
  await compactLog(attempt.buildId, attempt.epoch, store).catch(onError);
  for (const { buildId, epoch } of await listUncompacted(compactedBeside))
    await compactLog(buildId, epoch, store).catch(onError);
}
