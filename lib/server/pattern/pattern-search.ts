import { Worker } from "node:worker_threads";
import { type AppError, fail } from "@/lib/common/errors";

/** Looks through texts for one regular expression. */
export interface PatternSearch {
  /** @returns Places of the texts that match, counted from 0. */
  placesIn(texts: readonly string[]): Promise<readonly number[]>;
  close(): void;
}

/** A pattern may take this long for all that it is asked: a million lines take a plain one about a second. */
const budgetMs = 5000;
/** Threads at once: whoever comes later waits, and a core stays free to answer others. */
const mostThreads = 2;

/** JavaScript's own engine steps back without bound on some patterns; so it runs in a thread, which can be ended whatever it does. */
const threadSource = `
const { parentPort, workerData } = require("node:worker_threads");
const pattern = new RegExp(workerData.source, workerData.flags);
parentPort.on("message", (texts) => {
  const places = [];
  texts.forEach((text, place) => { if (pattern.test(text)) places.push(place); });
  parentPort.postMessage(places);
});`;

let threads = 0;
const waiting: (() => void)[] = [];

/**
 * Starts to look for a regular expression in JavaScript's syntax. It has a thread of its own until it is closed.
 *
 * @param options `isExact`: whether capital and small letters differ. `timeoutMs`: for all texts together.
 * @throws {AppError} `QUERY_INVALID` for what is no pattern; while it looks, `DEADLINE_EXCEEDED` for one that takes too long.
 */
export async function startPatternSearch(
  source: string,
  { isExact, timeoutMs = budgetMs }: { readonly isExact: boolean; readonly timeoutMs?: number },
): Promise<PatternSearch> {
  const flags = isExact ? "" : "i";
  checkSyntax(source, flags);
  if (threads >= mostThreads) await new Promise<void>((go) => waiting.push(go));
  else threads += 1;
  const thread = new Worker(threadSource, {
    eval: true,
    workerData: { source, flags },
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  });
  thread.unref();
  // Without a listener, one that dies between two questions would take the process along.
  thread.on("error", () => {});
  let leftMs = timeoutMs;
  let isClosed = false;
  const close = () => {
    if (isClosed) return;
    isClosed = true;
    void thread.terminate();
    const next = waiting.shift();
    if (next) next();
    else threads -= 1;
  };
  return {
    close,
    async placesIn(texts) {
      const began = performance.now();
      try {
        return await answerOf(thread, texts, leftMs);
      } finally {
        leftMs -= performance.now() - began;
      }
    },
  };
}

function checkSyntax(source: string, flags: string): void {
  try {
    new RegExp(source, flags);
  } catch (cause) {
    // “Invalid regular expression: /(/: Unterminated group”
    const why = cause instanceof Error ? cause.message.split(": ").at(-1) : "it cannot be read";
    throw fail("QUERY_INVALID", `“${source}” is not a regular expression: ${why}.`, {
      hint: "Write a backslash before signs that are meant as such: \\( \\[ \\* \\+ \\?",
      cause,
    });
  }
}

function answerOf(
  thread: Worker,
  texts: readonly string[],
  withinMs: number,
): Promise<readonly number[]> {
  return new Promise((done, refuse) => {
    const end = (act: () => void) => {
      clearTimeout(timer);
      thread.off("message", onMessage).off("error", onError);
      act();
    };
    const onMessage = (places: readonly number[]) => end(() => done(places));
    const onError = (cause: Error) => end(() => refuse(tooCostly("needs too much memory", cause)));
    const timer = setTimeout(
      () => end(() => refuse(tooCostly("takes too long"))),
      Math.max(0, withinMs),
    );
    thread.on("message", onMessage).on("error", onError);
    thread.postMessage(texts);
  });
}

const tooCostly = (what: string, cause?: Error): AppError =>
  fail("DEADLINE_EXCEEDED", `The regular expression ${what}.`, {
    hint: "Repetitions within repetitions, such as (a+)+, can take for ever: write the pattern without them, or search for a text.",
    ...(cause ? { cause } : {}),
  });
