import { z } from "zod";
import { getBoardModel, getFamily } from "@/boards";
import type { Outcome, PlanHead, Products, TimingVerdict } from "../engine";
import { clockTimings, netTimingsSchema } from "./clock-timings";
import { criticalPathOf, criticalPathsSchema } from "./critical-path";
import { paths } from "./paths";
import { placedCells } from "./placed-cells";
import { placementOf, sectionUses } from "./placement";
import { cellCounts, parseProduct } from "./read-products";
import { vendorReport, vendorTiming } from "./vendor-report";

/** As much of nextpnr's report as is read. */
const placementSchema = z.object({
  /** By mangled net name; the smallest counts. */
  fmax: z.record(z.string(), z.object({ achieved: z.number() })),
  utilization: z.record(z.string(), z.object({ used: z.number(), available: z.number() })),
  critical_paths: criticalPathsSchema.default([]),
});
type Fmax = z.infer<typeof placementSchema>["fmax"];

const detailedSchema = placementSchema.extend({
  detailed_net_timings: netTimingsSchema.default([]),
});

/** Whether place and route reached the variant's clock. A report without any clock is a failure, not a pass. */
export function timing(plan: PlanHead, products: Products): TimingVerdict {
  const { vendor, clockMargin } = familyOf(plan);
  if (vendor) return vendorTiming(plan, products);
  const { fmax } = parseProduct(placementSchema, products, paths.timing);
  const achievedMhz = slowestMhz(fmax);
  if (achievedMhz === null) return { met: false, achievedMhz: 0 };
  return { met: achievedMhz * 1e6 >= (products.variant?.clockHz ?? 0) * clockMargin, achievedMhz };
}

/** What the tools measured, in place of the forecast's estimates, and where they put it. */
export function outcome(plan: PlanHead, products: Products): Outcome {
  const family = familyOf(plan);
  if (family.vendor) return { report: vendorReport(plan, products), placement: null };
  const placed = parseProduct(detailedSchema, products, paths.timing);
  const { fmax, utilization, critical_paths, detailed_net_timings } = placed;
  const criticalPath = criticalPathOf(critical_paths);
  const counts = cellCounts(products);
  const cells = placedCells(plan, products, family);
  const clockHz = products.variant?.clockHz ?? 0;
  const clocks = { fmax, criticalPaths: critical_paths, netTimings: detailed_net_timings };
  const report = {
    ...plan.forecast,
    resources: family.resources.flatMap(({ keys, id, name }) => {
      const uses = keys.flatMap((key) => utilization[key] ?? []);
      const used = uses.reduce((sum, use) => sum + use.used, 0);
      const available = Math.max(0, ...uses.map((use) => use.available));
      return available > 0 ? [{ id, name, used, available }] : [];
    }),
    achievedMhz: slowestMhz(fmax) ?? 0,
    clockHz,
    clockLabel: clockLabel(plan, clockHz),
    cells: counts,
    ...(criticalPath ? { criticalPath } : {}),
    sections: sectionUses(plan, cells),
    clocks: clockTimings(clocks, (clockHz * family.clockMargin) / 1e6),
  };
  return { report, placement: placementOf(plan, cells) };
}

const familyOf = (plan: PlanHead) => getFamily(getBoardModel(plan.boardModel).part);

function slowestMhz(fmax: Fmax): number | null {
  const speeds = Object.values(fmax).map(({ achieved }) => achieved);
  return speeds.length === 0 ? null : Math.min(...speeds);
}

/** The clock, and those above it that were tried before. */
function clockLabel({ variants }: PlanHead, clockHz: number): string {
  const missedHz = variants.map((variant) => variant.clockHz).filter((hz) => hz > clockHz);
  const missed = [...new Set(missedHz)].map((hz) => `${hz / 1e6} MHz`);
  const label = `${clockHz / 1e6} MHz`;
  return missed.length === 0 ? label : `${label} (${missed.join(", ")} not met)`;
}
