import { z } from "zod";
import type { ClockTiming } from "@/lib/common/contract";
import type { criticalPathsSchema } from "./critical-path";

/** As much of nextpnr's `detailed_net_timings` as is read. Arrivals are the earliest and the latest, in ns. */
export const netTimingsSchema = z.array(
  z.object({
    event: z.string(),
    endpoints: z.array(
      z.object({
        cell: z.string(),
        port: z.string(),
        event: z.string(),
        delay: z.array(z.number()),
      }),
    ),
  }),
);

/** What nextpnr reports of the timing of a placed design. */
export interface TimingReport {
  /** By mangled net name, in MHz. */
  readonly fmax: Readonly<Record<string, { readonly achieved: number }>>;
  readonly criticalPaths: z.infer<typeof criticalPathsSchema>;
  readonly netTimings: z.infer<typeof netTimingsSchema>;
}

const mostBins = 24;

/**
 * How every clock of a routed design does against its target, and how much time is left at the inputs of its registers.
 *
 * nextpnr tells when a signal arrives at a register, and of the slowest path alone what the register itself needs. That
 * is taken for all: the slowest is exact, another is off by as much as its register's setup differs from that one's.
 */
export function clockTimings(report: TimingReport, targetMhz: number): ClockTiming[] {
  return Object.entries(report.fmax).map(([net, { achieved }]) => {
    const slacks = slacksOf(net, report, targetMhz);
    return {
      name: plainName(net),
      achievedMhz: round(achieved),
      targetMhz: round(targetMhz),
      ...(slacks.length > 0 ? { slack: histogram(slacks) } : {}),
    };
  });
}

/** `$glbnet$clock$TRELLIS_IO_IN` and `clock$SB_IO_IN_$glb_clk` are both `clock`. */
const plainName = (net: string): string => net.replace(/^\$[a-z]+\$/, "").split("$")[0] || net;

function slacksOf(
  net: string,
  { fmax, criticalPaths, netTimings }: TimingReport,
  targetMhz: number,
): number[] {
  const isOwn = (event: string) => event.split(" ").at(-1) === net;
  const slowest = criticalPaths.find(({ from, to }) => from === to && isOwn(from));
  const arrivals = new Map<string, number>();
  for (const { event, endpoints } of netTimings) {
    if (!isOwn(event)) continue;
    for (const { cell, port, event: captured, delay } of endpoints) {
      if (captured !== event) continue;
      const key = `${cell} ${port}`;
      arrivals.set(key, Math.max(arrivals.get(key) ?? 0, ...delay));
    }
  }
  const end = slowest?.path.at(-1)?.to;
  const arrival = end && arrivals.get(`${end.cell} ${end.port}`);
  const achieved = fmax[net]?.achieved;
  if (arrival === undefined || !achieved) return [];
  const periodNs = 1000 / targetMhz;
  const longestNs = 1000 / achieved;
  return [...arrivals.values()].map((each) =>
    Math.max(periodNs - longestNs, periodNs - longestNs + (arrival - each)),
  );
}

function histogram(slacks: readonly number[]): NonNullable<ClockTiming["slack"]> {
  const worst = slacks.reduce((least, slack) => Math.min(least, slack));
  const best = slacks.reduce((most, slack) => Math.max(most, slack));
  const binNs = binOf((best - worst) / mostBins);
  const first = Math.floor(worst / binNs);
  const counts = new Array<number>(Math.floor(best / binNs) - first + 1).fill(0);
  for (const slack of slacks) {
    const bin = Math.floor(slack / binNs) - first;
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return {
    ends: slacks.length,
    worstNs: round(worst),
    fromNs: round(first * binNs),
    binNs,
    counts,
  };
}

/** The smallest of 0.1, 0.2, 0.5, 1, 2, 5 … ns that is wide enough. */
function binOf(leastNs: number): number {
  for (let decade = 0.1; ; decade *= 10) {
    for (const step of [1, 2, 5]) if (step * decade >= leastNs) return round(step * decade);
  }
}

const round = (value: number): number => Math.round(value * 1000) / 1000;
