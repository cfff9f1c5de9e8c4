import { holdLog } from "../log";
import type { AttemptContext } from "./attempt-context";

/**
 * Does two things at once, each with stages of its own; the lines of `beside` come stage by stage. If `beside` fails, that
 * ends `main` and is what the build fails with, in the stage where it went wrong; whichever was first, so that equal
 * builds end alike.
 *
 * @param main Gets what `beside` will answer, for work that needs it later.
 * @returns What `main` answers.
 */
export async function sideBySide<Answer, Aside>(
  context: AttemptContext,
  main: (context: AttemptContext, aside: Promise<Aside>) => Promise<Answer>,
  beside: (context: AttemptContext) => Promise<Aside>,
): Promise<Answer> {
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const log = holdLog(context.log);
  const stages = context.stages.fork();
  const watched = beside({ ...context, signal, log, stages }).then(
    (found) => {
      stages.leave("succeeded");
      log.release();
      return found;
    },
    (error: unknown) => {
      log.release();
      stop.abort(error);
      throw error;
    },
  );
  const done = main({ ...context, signal }, watched);
  const [answer, aside] = await Promise.allSettled([done, watched]);
  if (aside.status === "fulfilled") {
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
