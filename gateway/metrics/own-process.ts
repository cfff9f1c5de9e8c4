import { PerformanceObserver } from "node:perf_hooks";
import { counter, gauge } from "./prometheus";

/** Watches what this process takes of its machine, and tells it as lines of the Prometheus exposition. */
export class OwnProcess {
  private collections = 0;
  private totalMs = 0;
  private longestMs = 0;

  constructor() {
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) {
        this.collections++;
        this.totalMs += duration;
        this.longestMs = Math.max(this.longestMs, duration);
      }
    }).observe({ entryTypes: ["gc"] });
  }

  lines(): string[] {
    const { user, system } = process.cpuUsage();
    const longestS = this.longestMs / 1000;
    this.longestMs = 0;
    const one = (value: number): [string, number][] => [["", value]];
    return [
      ...counter(
        "process_cpu_seconds_total",
        "Processor time of the gateway.",
        one((user + system) / 1e6),
      ),
      ...gauge(
        "process_resident_memory_bytes",
        "Real memory of the gateway.",
        one(process.memoryUsage.rss()),
      ),
      ...counter(
        "boardwalk_garbage_collections_total",
        "Collections of garbage.",
        one(this.collections),
      ),
      ...counter(
        "boardwalk_garbage_collection_seconds_total",
        "Time in which garbage was collected.",
        one(this.totalMs / 1000),
      ),
      ...gauge(
        "boardwalk_garbage_collection_longest_seconds",
        "The longest collection since the last scrape.",
        one(longestS),
      ),
    ];
  }
}
