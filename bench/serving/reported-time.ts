import type { Timing } from "@/lib/common/contract";
import { median } from "../median";

const header = /\r\nx-bw-timing: (.*)/i;
const parts = ["linkNs", "boardQueueNs", "hostNs", "computeNs"] as const;

/** Where the time of calls went, as the answers of a load say that asked for it by the header `X-BW-Timing`. */
export class ReportedTime {
  private readonly timings: Timing[] = [];

  /** Notes what an answer says. */
  note(head: string): void {
    const text = header.exec(head)?.[1];
    if (text !== undefined) this.timings.push(JSON.parse(text) as Timing);
  }

  /** Of the time that the board had its calls, the share within the device. */
  get computeShare(): number {
    const compute = this.sum("computeNs");
    return compute / (compute + this.sum("hostNs"));
  }

  /** The parts of a typical call, microseconds. */
  get typical(): string {
    return parts
      .map((part) => {
        const us = median(this.timings.map((timing) => timing[part] ?? 0)) / 1000;
        return `${part.replace("Ns", "")} ${us.toFixed(0)} µs`;
      })
      .join(", ");
  }

  private sum(part: (typeof parts)[number]): number {
    return this.timings.reduce((sum, timing) => sum + (timing[part] ?? 0), 0);
  }
}
