import { z } from "zod";
import type { CriticalPath } from "@/lib/common/contract";

const pinSchema = z.object({ cell: z.string(), port: z.string().optional() });
const hopSchema = z.object({
  type: z.string(),
  delay: z.number(),
  from: pinSchema,
  to: pinSchema,
  net: z.string().optional(),
});

/** As much of nextpnr's `critical_paths` as is read. */
export const criticalPathsSchema = z.array(
  z.object({ from: z.string(), to: z.string(), path: z.array(hopSchema) }),
);

/** A wire that is quicker than this is part of a carry chain, not a way through the chip. */
const chainNs = 0.15;
/** More steps than that say nothing to anybody. */
const maxSteps = 24;

/** The slowest way from a register to a register: what limits the clock. Null when there is none, as in a lone memory. */
export function criticalPathOf(paths: z.infer<typeof criticalPathsSchema>): CriticalPath | null {
  const [slowest] = paths
    .filter(({ from, to }) => from !== "<async>" && to !== "<async>" && from === to)
    .map((each) => ({ ...each, totalNs: each.path.reduce((sum, { delay }) => sum + delay, 0) }))
    .sort((a, b) => b.totalNs - a.totalNs);
  if (!slowest) return null;
  const steps: { signal: string; module: string; routingNs: number; logicNs: number }[] = [];
  for (const { type, delay, net, from } of slowest.path) {
    const last = steps.at(-1);
    if (type === "routing" && (delay >= chainNs || !last)) {
      steps.push({ ...placeOf(net ?? from.cell), routingNs: delay, logicNs: 0 });
    } else if (!last) steps.push({ ...placeOf(from.cell), routingNs: 0, logicNs: delay });
    else if (type === "routing") last.routingNs += delay;
    else last.logicNs += delay;
  }
  const rounded = steps.slice(0, maxSteps).map((step) => ({
    ...step,
    routingNs: round(step.routingNs),
    logicNs: round(step.logicNs),
  }));
  return { totalNs: round(slowest.totalNs), steps: rounded };
}

const round = (ns: number): number => Math.round(ns * 1000) / 1000;

/** `shell.core.drain_7_DFFR_Q_17_D` is the signal `drain_7` of the module `core`: mapping adds names in capitals. */
function placeOf(name: string): { signal: string; module: string } {
  const parts = name.split(".");
  const own = parts.at(-1) ?? name;
  const signal = own
    .replace(/\[\d+\]$/, "")
    .replace(/(?<=[a-z0-9])_(?:[A-Z$]{2,}|[A-Z]\d?_).*$/, "");
  return { signal, module: parts.length > 1 ? (parts.at(-2) ?? "top") : "top" };
}
