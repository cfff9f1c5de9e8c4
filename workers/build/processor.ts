import { join } from "node:path";
import { z } from "zod";
import {
  type AttemptRow,
  appendLog,
  claimBuild,
  compactLog,
  failBuild,
  handBackBuild,
  listLogChunks,
  markLogTruncated,
  saveStages,
  succeedBuild,
} from "@/domain/builds";
import { type AppError, fail, toAppError, toErrorData } from "@/lib/common/errors";
import { digestOf, hexOf } from "@/lib/server/digest";
import { fault } from "@/lib/server/process";
import { buckets } from "@/lib/server/storage";
import { defineProcessor, type JobContext, type Processor } from "../runtime";
import { insist, keepLease, makeWorkFolder, StageTracker } from "./attempt";
import { type BuildTools, buildArtifact } from "./build-artifact";
import { LogWriter } from "./log";
import { type AttemptContext, say } from "./stages/attempt-context";

export interface BuildSettings {
  readonly home: string;
  readonly leaseS: number;
  readonly renewS: number;
  readonly deadlineS: number;
  /** Values that may never show in a log. */
  readonly secrets: readonly string[];
}

/** How long an attempt's end is tried to be written while the database is away. */
const endPatienceMs = 600_000;

/**
 * Runs one attempt of a build. Safe to run twice: the claim answers null unless the build waits, and every write of the
 * attempt fails once somebody holds a newer epoch.
 */
export function createBuildProcessor(settings: BuildSettings, tools: BuildTools): Processor {
  return defineProcessor({
    name: "build.run",
    queue: "build",
    payload: z.object({ buildId: z.uuid() }),
    async run({ buildId }, ctx) {
      fault("worker.before-claim");
      const attempt = await claimBuild(buildId, ctx.workerId, settings);
      if (attempt) await runAttempt(attempt, ctx, { settings, tools });
    },
  });
}

async function runAttempt(
  attempt: AttemptRow,
  ctx: JobContext,
  { settings, tools }: { readonly settings: BuildSettings; readonly tools: BuildTools },
): Promise<void> {
  const { buildId, epoch } = attempt;
  const end = new AbortController();
  const lost = () => end.abort(fail("LEASE_LOST", "Another attempt has this build."));
  const lease = keepLease({ ...settings, buildId, epoch, onEnd: (why) => end.abort(why) });
  const signal = AbortSignal.any([ctx.signal, end.signal]);
  const work = await makeWorkFolder(settings.home, attempt).catch(async (error: unknown) => {
    lease.close();
    await failBuild(buildId, epoch, toErrorData(error), "failed");
    throw error;
  });
  const log = new LogWriter({
    append: async (lines, truncated) => {
      await appendLog(buildId, epoch, lines);
      if (truncated) await markLogTruncated(buildId, epoch);
    },
    spillPath: join(work.path, "log.spill"),
    onLost: lost,
  });
  const tracker = new StageTracker({
    save: (list) => saveStages(buildId, epoch, list),
    linesOf: (stage) => log.linesOf(stage),
  });
  const stages = tracker.track();
  const { projectId } = attempt;
  const { secrets } = settings;
  const context: AttemptContext = { buildId, epoch, projectId, signal, work, stages, log, secrets };

  /** Lines, stages and tidying come before the end, so that nobody sees an end and misses what led to it. */
  const finish = async (write: (patience: AbortSignal) => Promise<unknown>) => {
    await log.close();
    await tracker.flush();
    await work.remove();
    const patience = AbortSignal.any([AbortSignal.timeout(endPatienceMs), end.signal]);
    await insist(end.signal.aborted ? AbortSignal.timeout(endPatienceMs) : patience, () =>
      write(patience),
    );
  };

  try {
    const success = await buildArtifact(context, attempt, tools);
    stages.leave("succeeded");
    tracker.skipRest();
    await finish(() => succeedBuild(buildId, epoch, success));
    fault("worker.after-commit");
  } catch (thrown) {
    await endBadly(thrown);
  } finally {
    lease.close();
    await work.remove();
  }
  await compact(attempt, tools).catch((err: unknown) => ctx.log.warn({ err }, "log not compacted"));

  async function endBadly(thrown: unknown): Promise<void> {
    const why = end.signal.aborted ? toAppError(end.signal.reason) : toAppError(thrown);
    if (why.reason === "LEASE_LOST") return ctx.log.warn({ epoch }, "lease lost");
    if (ctx.signal.aborted && !end.signal.aborted) {
      say(context, "The worker stops: this build goes back into the queue.", "warning");
      return await finish(() => handBackBuild(buildId, epoch));
    }
    if (why.reason === "INTERNAL") ctx.log.error({ err: thrown }, "build failed");
    say(context, why.hint ? `${why.message} ${why.hint}` : why.message, "error");
    stages.leave("failed");
    await finish(() => failBuild(buildId, epoch, toErrorData(why), stateOf(why))).catch(
      (error: unknown) => {
        if (toAppError(error).reason !== "LEASE_LOST") throw error;
      },
    );
  }
}

function stateOf({ reason }: AppError): "failed" | "timed_out" | "cancelled" {
  if (reason === "CANCELLED") return "cancelled";
  return reason === "BUILD_TIMED_OUT" || reason === "TOOL_TIMED_OUT" ? "timed_out" : "failed";
}

/** Puts the whole log of an ended attempt into the store as one text. */
async function compact({ buildId, epoch }: AttemptRow, { store }: BuildTools): Promise<void> {
  const chunks = await listLogChunks(buildId, epoch);
  const text = chunks.flatMap(({ lines }) => lines.map((line) => `${line.text}\n`)).join("");
  const bytes = Buffer.from(text);
  const digest = digestOf(bytes);
  const object = `${buildId}/${epoch}.log`;
  await store.put(buckets.logs, object, bytes, { sizeBytes: bytes.length, digest });
  await compactLog(buildId, epoch, { object, sha256: hexOf(digest) });
}
