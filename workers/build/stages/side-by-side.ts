import { holdLog } from "../log";
import type { AttemptContext } from "./attempt-context";

type Work<Answer> = (context: AttemptContext) => Promise<Answer>;

/**
 * Does two things at once, each with stages of its own; the lines of `beside` come stage by stage. What goes wrong with
 * one of them ends the other, and is what the build fails with, in the stage where it went wrong.
 *
 * @returns What `main` answers.
 */
export async function sideBySide<Answer>(
  context: AttemptContext,
  main: Work<Answer>,
  beside: Work<void>,
): Promise<Answer> {
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const log = holdLog(context.log);
  const stages = context.stages.fork();
  const failures: { readonly work: "main" | "beside"; readonly error: unknown }[] = [];
  const guard = <Value>(work: "main" | "beside", promise: Promise<Value>) =>
    promise.catch((error: unknown) => {
      failures.push({ work, error });
      stop.abort(error);
      throw error;
    });
  const [answer] = await Promise.allSettled([
    guard("main", main({ ...context, signal })),
    guard("beside", beside({ ...context, signal, log, stages })),
  ]);
  log.release();
  const [failure] = failures;
  if (!failure && answer.status === "fulfilled") {
    stages.leave("succeeded");
    return answer.value;
  }
  if (failure?.work === "beside") {
    const failed = stages.current;
    stages.leave("failed");
    context.stages.breakOff(`Not finished, since ${failed ?? "another stage"} failed.`);
    // Whoever tells of the failure does so in the stage that failed.
    if (failed) context.stages.enter(failed);
  } else {
    stages.breakOff(`Not finished, since ${context.stages.current ?? "another stage"} failed.`);
  }
  throw failure?.error;
}
