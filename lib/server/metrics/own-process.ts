import { monitorEventLoopDelay, PerformanceObserver } from "node:perf_hooks";
import { counter, gauge } from "./prometheus";

/** Watches what this process takes of its machine, and tells it as lines of the Prometheus exposition. */
export class OwnProcess {
  private collections = 0;
  private totalMs = 0;
  private longestMs = 0;
  private readonly loopDelay = monitorEventLoopDelay({ resolution: 10 });

  constructor() {
    this.loopDelay.enable();
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
      ...this.loopDelays(),
      ...gauge(
        "process_start_time_seconds",
        "When this process started, in seconds since 1970.",
        one(Math.round(performance.timeOrigin / 1000)),
      ),
      ...gauge(
        "nodejs_heap_size_used_bytes",
        "Memory of JavaScript values.",
        one(process.memoryUsage().heapUsed),
      ),
      ...counter(
        "process_cpu_seconds_total",
        "Processor time of this process.",
        one((user + system) / 1e6),
      ),
      ...gauge(
        "process_resident_memory_bytes",
        "Real memory of this process.",
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

  private loopDelays(): string[] {
    const one = (ns: number): [string, number][] => [["", ns / 1e9]];
    const { loopDelay } = this;
    const lines = [
      ...gauge(
        "boardwalk_event_loop_delay_seconds",
        "99th percentile since the last scrape.",
        one(loopDelay.percentile(99)),
      ),
      ...gauge(
        "boardwalk_event_loop_delay_tail_seconds",
        "The same, 99.9th percentile.",
        one(loopDelay.percentile(99.9)),
      ),
      ...gauge(
        "boardwalk_event_loop_delay_max_seconds",
        "The same, the longest.",
        one(loopDelay.max),
      ),
    ];
    loopDelay.reset();
    return lines;
  }
}
