import type { Timing } from "@/lib/common/contract";

/** One part of the time of a prediction that the server accounts for. */
export interface TimePart {
  readonly id: "queue" | "gateway" | "link" | "host" | "simulator" | "compute" | "chip";
  readonly ns: number;
}

/** The time of one prediction: what the server accounts for, and what lies before it. */
export interface TimeSplit {
  /** From the gateway inward. */
  readonly server: readonly TimePart[];
  readonly serverNs: number;
  /** Browser, network and portal: what no layer behind the gateway accounts for. */
  readonly outsideNs: number;
}

const positive = (...values: readonly (number | undefined)[]) =>
  values.reduce<number>((sum, value) => sum + Math.max(0, value ?? 0), 0);

/** Nanoseconds that the counted cycles last at the real clock; null without a counter. */
export function chipNs({ cycles, clockHz }: Timing): number | null {
  return cycles === undefined || !clockHz ? null : (cycles / clockHz) * 1e9;
}

/**
 * Splits the time a prediction took as the browser saw it, outermost part first. On a simulated board the chip's own time is what
 * its cycles would last at the real clock; the rest of the computing is the simulator's.
 */
export function splitTime(totalNs: number, timing: Timing): TimeSplit {
  const chip = chipNs(timing);
  const compute = positive(timing.computeNs);
  const inside = Math.min(chip ?? 0, compute === 0 ? (chip ?? 0) : compute);
  const all: readonly TimePart[] = [
    { id: "queue", ns: positive(timing.gatewayQueueNs, timing.boardQueueNs) },
    { id: "gateway", ns: positive(timing.gatewayNs) },
    { id: "link", ns: positive(timing.linkNs) },
    { id: "host", ns: positive(timing.hostNs) },
    chip === null
      ? { id: "compute", ns: compute }
      : { id: "simulator", ns: Math.max(0, compute - inside) },
    { id: "chip", ns: inside },
  ];
  const server = all.filter(({ ns }) => ns > 0);
  const serverNs = server.reduce((sum, { ns }) => sum + ns, 0);
  return { server, serverNs, outsideNs: Math.max(0, totalNs - serverNs) };
}

/** Widths of the parts as shares of 1: true to scale, or by their logarithm so that nanoseconds show beside milliseconds. */
export function widthsOf(
  parts: readonly Pick<TimePart, "ns">[],
  scale: "linear" | "log",
): readonly number[] {
  const weights = parts.map(({ ns }) => (scale === "linear" ? ns : Math.log10(1 + ns)));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => (total === 0 ? 0 : weight / total));
}
