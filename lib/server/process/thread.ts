import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parentPort, type Transferable, Worker } from "node:worker_threads";
import {
  AppError,
  type ErrorData,
  fail,
  fromErrorData,
  toAppError,
  toErrorData,
} from "@/lib/common/errors";
import { commonEnv } from "@/lib/server/env";

interface ThreadRequest {
  readonly id: number;
  readonly data: unknown;
}

type ThreadAnswer =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly error: ErrorData; readonly cause: string };

/** How long a request to a thread may take, and what is handed over with it. */
export interface RunOptions {
  /** An abort ends the thread, since work that computes cannot be asked to stop. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
  readonly transfer?: readonly Transferable[];
}

/** A worker thread that answers requests in order. Data goes both ways by structured clone. */
export interface Thread {
  /**
   * What the entry answers. Its type is the caller's word: both sides are of one build, so nothing is parsed.
   *
   * @throws {AppError} what the thread threw; `DEADLINE_EXCEEDED` or `CANCELLED` after ending the thread.
   */
  run<Answer = unknown>(data: unknown, options?: RunOptions): Promise<Answer>;
  close(): Promise<void>;
}

/** The bundle of an entry such as `workers/builds/plan.thread`, beside the running one. */
export function bundlePath(entry: string): string {
  const folder = commonEnv().BOARDWALK_BUNDLES ?? dirname(fileURLToPath(import.meta.url));
  return join(folder, `${entry.replaceAll("/", "-")}.mjs`);
}

/**
 * Starts a thread from the entry's path without its ending, such as `board-server/devices/simulated.thread`.
 * The entry calls `answerThread`.
 */
export function startThread(entry: string, { memoryMb = 2048 } = {}): Thread {
  const path = bundlePath(entry);
  if (!existsSync(path)) {
    throw new AppError("internal", `The bundle of ${entry} is missing.`, {
      reason: "INTERNAL",
      hint: "Run `node scripts/bundle.mjs`.",
    });
  }
  // Not `new Worker(path)`: Next's bundler would take the path for a pattern and bundle every file that it matches.
  const worker: Worker = Reflect.construct(Worker, [
    path,
    { resourceLimits: { maxOldGenerationSizeMb: memoryMb } },
  ]);
  worker.unref();
  const waiting = new Map<
    number,
    { resolve: (value: unknown) => void; reject: (error: AppError) => void }
  >();
  let nextId = 1;
  let dead: AppError | null = null;

  const end = (error: AppError) => {
    dead ??= error;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
    worker.unref();
  };
  worker.on("message", (answer: ThreadAnswer) => {
    const request = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (waiting.size === 0) worker.unref();
    if (answer.ok) request?.resolve(answer.value);
    else {
      const error = fromErrorData(answer.error);
      if (answer.cause !== "") error.cause = new Error(answer.cause);
      request?.reject(error);
    }
  });
  worker.on("error", (error) => end(threadDied(entry, error)));
  worker.on("exit", (status) => end(threadDied(entry, new Error(`exit ${status}`))));

  return {
    run<Answer>(data: unknown, { signal, timeoutMs, transfer = [] }: RunOptions = {}) {
      if (dead) return Promise.reject(dead);
      if (signal?.aborted) return Promise.reject(reasonOf(signal));
      const id = nextId++;
      worker.ref();
      return new Promise<Answer>((resolve, reject) => {
        const stop = (error: AppError) => {
          end(error);
          void worker.terminate();
        };
        const onAbort = () => stop(reasonOf(signal));
        const timer =
          timeoutMs === undefined
            ? undefined
            : setTimeout(
                () => stop(fail("DEADLINE_EXCEEDED", `${entry} took over ${timeoutMs} ms.`)),
                timeoutMs,
              );
        const settled = () => {
          clearTimeout(timer);
          signal?.removeEventListener("abort", onAbort);
        };
        signal?.addEventListener("abort", onAbort, { once: true });
        waiting.set(id, {
          resolve: (value) => {
            settled();
            resolve(value as Answer);
          },
          reject: (error) => {
            settled();
            reject(error);
          },
        });
        worker.postMessage({ id, data } satisfies ThreadRequest, [...transfer]);
      });
    },
    async close() {
      end(fail("CANCELLED", `${entry} was closed.`));
      await worker.terminate();
    },
  };
}

/** Runs one task in a thread of its own, which ends with it. */
export async function runThread<Answer>(
  entry: string,
  data: unknown,
  options: RunOptions & { readonly memoryMb?: number } = {},
): Promise<Answer> {
  const { memoryMb, ...runOptions } = options;
  const thread = startThread(entry, memoryMb === undefined ? {} : { memoryMb });
  try {
    return await thread.run<Answer>(data, runOptions);
  } finally {
    await thread.close();
  }
}

interface AnswerOptions<Answer> {
  /** Buffers of an answer that are moved to who asked, and not copied. */
  readonly transfer?: (answer: Answer) => Transferable[];
}

/** The thread's side: answers each request with what `handle` returns, or with the error it throws. */
export function answerThread<Data, Answer>(
  handle: (data: Data) => Answer | Promise<Answer>,
  { transfer }: AnswerOptions<Answer> = {},
): void {
  const port = parentPort;
  if (!port) throw new Error("answerThread needs a worker thread");
  let previous: Promise<void> = Promise.resolve();
  const answer = async ({ id, data }: ThreadRequest) => {
    try {
      const value = await handle(data as Data);
      port.postMessage({ id, ok: true, value } satisfies ThreadAnswer, transfer?.(value) ?? []);
    } catch (thrown) {
      const cause = toAppError(thrown).cause;
      port.postMessage({
        id,
        ok: false,
        error: toErrorData(thrown),
        cause: cause instanceof Error ? (cause.stack ?? cause.message) : "",
      } satisfies ThreadAnswer);
    }
  };
  port.on("message", (request: ThreadRequest) => {
    previous = previous.then(() => answer(request));
  });
}

function reasonOf(signal: AbortSignal | undefined): AppError {
  const { reason } = signal ?? {};
  const error = toAppError(reason);
  return error.reason === "INTERNAL" ? fail("CANCELLED", "The work was stopped.") : error;
}

function threadDied(entry: string, cause: Error): AppError {
  const outOfMemory = "code" in cause && cause.code === "ERR_WORKER_OUT_OF_MEMORY";
  return outOfMemory
    ? fail("TOOL_MEMORY", `${entry} needed more memory than it may use.`, { cause })
    : new AppError("internal", `${entry} ended before it answered.`, {
        reason: "INTERNAL",
        cause,
      });
}
