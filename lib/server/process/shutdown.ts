import { commonEnv } from "@/lib/server/env";

/** What is to be done before the process leaves. */
export interface ShutdownOptions {
  /** After this long the process exits with status 1, whatever `close` still does. */
  readonly deadlineMs?: number;
  /** Told once why the process ends: a signal's name or `parent`. */
  readonly onStart?: (cause: string) => void;
  readonly onError?: (error: unknown) => void;
}

/** An orphan leaves at once: whoever started it is dead and the stores are going too. */
const orphanLimitMs = 3000;

let start: ((cause: string) => void) | null = null;

/**
 * Runs `close` once at SIGTERM, SIGINT or the parent's end, then exits 0.
 * A second signal, the deadline or a failing `close` exit 1. Call it once per process, in its `main`.
 */
export function onShutdown(close: () => Promise<void>, options: ShutdownOptions = {}): void {
  const { deadlineMs = 40_000, onStart, onError } = options;
  let closing = false;
  start = (cause) => {
    if (closing) {
      if (cause !== "parent") process.exit(1);
      return;
    }
    closing = true;
    onStart?.(cause);
    const limitMs = cause === "parent" ? Math.min(deadlineMs, orphanLimitMs) : deadlineMs;
    setTimeout(() => process.exit(1), limitMs).unref();
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        onError?.(error);
        process.exit(1);
      },
    );
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => start?.(signal));
}

/**
 * Ends this process when the one that started it is gone: with `BOARDWALK_WATCH_PARENT=1`, standard input is a pipe
 * that the parent never writes to, so its end means the parent died, by SIGKILL too.
 */
export function watchParent(): void {
  if (!commonEnv().BOARDWALK_WATCH_PARENT) return;
  const gone = () => (start === null ? process.exit(1) : start("parent"));
  process.stdin.on("end", gone).on("close", gone).on("error", gone).resume();
}
