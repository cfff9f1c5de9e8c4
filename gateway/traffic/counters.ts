import type { CountedMinute } from "@/domain/traffic";
import type { Timing } from "@/lib/common/contract";
import { bucketOf, latencyBuckets } from "@/lib/common/latency";

/** Where each sum stands. */
const at = {
  requests: 0,
  clientErrors: 1,
  serverErrors: 2,
  rows: 3,
  totalUs: 4,
  queueUs: 5,
  linkUs: 6,
  hostUs: 7,
  computeUs: 8,
} as const;
const sums = Object.keys(at) as (keyof typeof at)[];

/** What is counted of one revision in one minute: additions in two arrays, and nothing is made for a request. */
export class Counters {
  private readonly sums = new Float64Array(sums.length);
  private readonly latency = new Uint32Array(latencyBuckets);
  /** Whether something was counted that nobody has written. */
  isDirty = false;

  failed(status: number): void {
    this.add(at.requests, 1);
    this.add(status >= 500 ? at.serverErrors : at.clientErrors, 1);
    this.isDirty = true;
  }

  answered(rows: number, totalUs: number, timing: Timing | null): void {
    this.add(at.requests, 1);
    this.add(at.rows, rows);
    this.add(at.totalUs, totalUs);
    if (timing) {
      this.add(at.queueUs, (timing.gatewayQueueNs ?? 0) / 1000);
      this.add(at.linkUs, (timing.linkNs ?? 0) / 1000);
      this.add(at.hostUs, ((timing.boardQueueNs ?? 0) + (timing.hostNs ?? 0)) / 1000);
      this.add(at.computeUs, (timing.computeNs ?? 0) / 1000);
    }
    const bucket = bucketOf(totalUs);
    this.latency[bucket] = (this.latency[bucket] as number) + 1;
    this.isDirty = true;
  }

  /** All of it so far, as it is stored. */
  toMinute(where: Pick<CountedMinute, "endpointId" | "at" | "revision">): CountedMinute {
    const latency: Record<string, number> = {};
    for (let bucket = 0; bucket < latencyBuckets; bucket++) {
      const count = this.latency[bucket] as number;
      if (count > 0) latency[bucket] = count;
    }
    const whole = (name: keyof typeof at) => Math.round(this.sums[at[name]] as number);
    return {
      ...where,
      requests: whole("requests"),
      clientErrors: whole("clientErrors"),
      serverErrors: whole("serverErrors"),
      rows: whole("rows"),
      totalUs: whole("totalUs"),
      queueUs: whole("queueUs"),
      linkUs: whole("linkUs"),
      hostUs: whole("hostUs"),
      computeUs: whole("computeUs"),
      latency,
    };
  }

  private add(index: number, value: number): void {
    this.sums[index] = (this.sums[index] as number) + value;
  }
}
