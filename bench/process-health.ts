import { readFileSync } from "node:fs";

/** Resident memory of a process, MiB. */
export function residentMib(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

/** The longest delay of an event loop since the last scrape, or its 99.9th percentile, from the metrics of a process. */
export function loopDelayMs(which: "tail" | "max", text: string): string {
  const value = new RegExp(`^boardwalk_event_loop_delay_${which}_seconds (\\S+)$`, "m").exec(text);
  return (Number(value?.[1]) * 1000).toFixed(0);
}
