import { monitorEventLoopDelay } from "node:perf_hooks";

/** Nothing in a process of ours may hold its event loop for longer. */
const limitMs = 100;
const resolutionMs = 10;
const lookEveryMs = 1000;
/** While it goes on, it is told that often. */
const quietMs = 10_000;

interface LoopProbeOptions {
  readonly log: { warn(fields: object, message: string): void };
}

/**
 * Watches this process' event loop, and says so where it was held for more than 100 ms: the longest delay, and how many
 * processor milliseconds the process took meanwhile. Few of them tell that the machine was busy with others.
 */
export function watchLoop({ log }: LoopProbeOptions): { close(): void } {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  let toldMs = Number.NEGATIVE_INFINITY;
  let longestMs = 0;
  let cpu = process.cpuUsage();
  const timer = setInterval(() => {
    longestMs = Math.max(longestMs, delays.max / 1e6 - resolutionMs);
    delays.reset();
    const nowMs = performance.now();
    if (longestMs > limitMs && nowMs - toldMs >= quietMs) {
      const { user, system } = process.cpuUsage(cpu);
      const cpuMs = Math.round((user + system) / 1000);
      const loopDelayMs = Math.round(longestMs);
      log.warn({ code: "LOOP_DELAYED", loopDelayMs, limitMs, cpuMs }, "loop delay");
      toldMs = nowMs;
    } else if (longestMs > limitMs) return;
    longestMs = 0;
    cpu = process.cpuUsage();
  }, lookEveryMs).unref();
  return {
    close() {
      clearInterval(timer);
      delays.disable();
    },
  };
}
