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

/** Lets the raw outputs of one tool flow into the log. `end` writes what lacked its newline. */
export function logOutput(
  { log, secrets }: Pick<AttemptContext, "log" | "secrets">,
  stage: StageName,
): { write(stream: "stdout" | "stderr", bytes: Uint8Array): void; end(): void } {
  const pipelines = { stdout: createPipeline(secrets), stderr: createPipeline(secrets) };
  const put = (stream: "stdout" | "stderr", lines: readonly string[]) => {
    for (const text of lines) log.write({ stage, stream, level: levelOf(text), text });
  };
  return {
    write: (stream, bytes) => put(stream, pipelines[stream].push(bytes)),
    end() {
      put("stdout", pipelines.stdout.end());
      put("stderr", pipelines.stderr.end());
    },
  };
}
