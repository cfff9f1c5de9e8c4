import pino, { type DestinationStream, type Logger } from "pino";
import { isAppError } from "@/lib/common/errors";
import { logEnv } from "@/lib/server/env";

let root: Logger | undefined;

/**
 * The logger of the process: one JSON object per line on standard output, quiet in tests unless `LOG_LEVEL` is set.
 * Ids and numbers only: no payloads, tensors, names or tokens.
 */
export function logger(): Logger {
  if (root) return root;
  const { LOG_LEVEL, VITEST } = logEnv();
  root = makeLogger(LOG_LEVEL ?? (VITEST ? "silent" : "info"));
  return root;
}

/** @param destination Default: standard output. */
export function makeLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** An error as fields; class names are left out, since bundlers change them. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  return {
    message: error.message,
    ...(isAppError(error) ? { code: error.code, reason: error.reason } : {}),
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}
