import { holdLog } from "../log";
import type { AttemptContext } from "./attempt-context";

type Work<Answer> = (context: AttemptContext) => Promise<Answer>;

/**
 * Does two things at once, each with stages of its own; the lines of `beside` come stage by stage. If `beside` fails, that
 * ends `main` and is what the build fails with, in the stage where it went wrong; whichever was first, so that equal
 * builds end alike.
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
  const done = main({ ...context, signal });
  const watched = beside({ ...context, signal, log, stages }).catch((error: unknown) => {
    stop.abort(error);
    throw error;
  });
  const [answer, aside] = await Promise.allSettled([done, watched]);
  log.release();
  if (aside.status === "fulfilled") {
    stages.leave("succeeded");
    if (answer.status === "fulfilled") return answer.value;
    throw answer.reason;
  }
  if (context.signal.aborted) {
    stages.breakOff("Not finished.");
    throw aside.reason;
  }
  const failed = stages.current;
  stages.leave("failed");
  if (answer.status === "fulfilled") context.stages.leave("succeeded");
  else context.stages.breakOff(`Not finished, since ${failed ?? "another stage"} failed.`);
  // Whoever tells of the failure does so in the stage that failed.
  if (failed) context.stages.enter(failed);
  throw aside.reason;
}
