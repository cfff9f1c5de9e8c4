import type { Timing } from "@/lib/common/contract";

/** One part of the time of a prediction. */
export interface TimePart {
  readonly id: "browser" | "queue" | "gateway" | "link" | "host" | "simulator" | "compute" | "chip";
  readonly label: string;
  readonly ns: number;
}

const positive = (...values: readonly (number | undefined)[]) =>
  values.reduce<number>((sum, value) => sum + Math.max(0, value ?? 0), 0);

/** Nanoseconds that the counted cycles last at the real clock; null without a counter. */
export function chipNs({ cycles, clockHz }: Timing): number | null {
  return cycles === undefined || !clockHz ? null : (cycles / clockHz) * 1e9;
}

/**
 * Splits the time a prediction took as the browser saw it, outermost part first. What no layer accounts for belongs to the browser and
 * the network before the gateway. On a simulated board the chip's own time is what its cycles would last at the real clock; the rest of
 * the computing is the simulator's.
 */
export function splitTime(totalNs: number, timing: Timing): readonly TimePart[] {
  const chip = chipNs(timing);
  const compute = positive(timing.computeNs);
  const inside = Math.min(chip ?? 0, compute === 0 ? (chip ?? 0) : compute);
  const queue = positive(timing.gatewayQueueNs, timing.boardQueueNs);
  const gateway = positive(timing.gatewayNs);
  const link = positive(timing.linkNs);
  const host = positive(timing.hostNs);
  const rest = totalNs - queue - gateway - link - host - Math.max(compute, inside);
  const parts: readonly TimePart[] = [
    { id: "browser", label: "browser", ns: Math.max(0, rest) },
    { id: "queue", label: "queues", ns: queue },
    { id: "gateway", label: "gateway", ns: gateway },
    { id: "link", label: "link", ns: link },
    { id: "host", label: "board's host", ns: host },
    chip === null
      ? { id: "compute", label: "computing", ns: compute }
      : {
          id: "simulator",
          label: timing.simulated ? "simulator" : "around the chip",
          ns: Math.max(0, compute - inside),
        },
    { id: "chip", label: "on the chip", ns: inside },
  ];
  return parts.filter(({ ns }) => ns > 0);
}

/** Widths of the parts as shares of 1: true to scale, or by their logarithm so that nanoseconds show beside milliseconds. */
export function widthsOf(parts: readonly TimePart[], scale: "linear" | "log"): readonly number[] {
  const weights = parts.map(({ ns }) => (scale === "linear" ? ns : Math.log10(1 + ns)));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => (total === 0 ? 0 : weight / total));
}
