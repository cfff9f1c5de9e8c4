import { setImmediate as nextTurn } from "node:timers/promises";
import type { StageName } from "@/lib/common/contract";
import type { StageTrack, WorkFolder } from "../attempt";
import { createPipeline, type Log, levelOf } from "../log";

/** What every stage of one attempt works with. */
export interface AttemptContext {
  readonly buildId: string;
  readonly epoch: number;
  readonly projectId: string;
  readonly signal: AbortSignal;
  readonly work: WorkFolder;
  readonly stages: StageTrack;
  readonly log: Log;
  /** How long vectors may go through the simulated line of one level. */
  readonly proofMs: number;
  /** How long the object store may be away while products are stored. */
  readonly storePatienceMs: number;
  /** Values that may never show in a log. */
  readonly secrets: readonly string[];
}

/** Writes a line of our own into the log of the running stage. */
export function say(
  context: Pick<AttemptContext, "stages" | "log">,
  text: string,
  level: "info" | "warning" | "error" = "info",
): void {
  const stage = context.stages.current ?? "fetch";
  context.log.write({ stage, stream: "boardwalk", level, text });
}

/** What is read of an output before other work has its turn, and how long that may take at most. */
const slice = { bytes: 8192, ms: 5 } as const;

/**
 * Lets the raw outputs of one tool flow into the log. `write` resolves once more may come: a tool that says more than the
 * log takes waits, and holds up nobody else. `end` writes what lacked its newline.
 */
export function logOutput(
  { log, secrets }: Pick<AttemptContext, "log" | "secrets">,
  stage: StageName,
): { write(stream: "stdout" | "stderr", bytes: Uint8Array): Promise<void>; end(): void } {
  const pipelines = { stdout: createPipeline(secrets), stderr: createPipeline(secrets) };
  const put = (stream: "stdout" | "stderr", lines: readonly string[]) => {
    for (const text of lines) log.write({ stage, stream, level: levelOf(text), text });
  };
  return {
    async write(stream, bytes) {
      let turnAt = performance.now();
      for (let at = 0; at < bytes.length; at += slice.bytes) {
        put(stream, pipelines[stream].push(bytes.subarray(at, at + slice.bytes)));
        if (performance.now() - turnAt > slice.ms) {
          await nextTurn();
          turnAt = performance.now();
        }
        await log.room();
      }
    },
    end() {
      put("stdout", pipelines.stdout.end());
      put("stderr", pipelines.stderr.end());
    },
  };
}
