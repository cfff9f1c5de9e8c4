import { z } from "zod";
import { getBoardModel, getFamily } from "@/boards";
import type { Report } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import type { Plan, Products, TimingVerdict } from "../engine";
import { clockTimings, netTimingsSchema } from "./clock-timings";
import { criticalPathOf, criticalPathsSchema } from "./critical-path";
import { paths } from "./paths";
import { sectionUses } from "./placement";
import { vendorReport, vendorTiming } from "./vendor-report";

/** As much of nextpnr's report as is read. */
const placementSchema = z.object({
  /** By mangled net name; the smallest counts. */
  fmax: z.record(z.string(), z.object({ achieved: z.number() })),
  utilization: z.record(z.string(), z.object({ used: z.number(), available: z.number() })),
  critical_paths: criticalPathsSchema.default([]),
});

const detailedSchema = placementSchema.extend({
  detailed_net_timings: netTimingsSchema.default([]),
});

/** As much of Yosys's `stat -json` as is read. */
const cellsSchema = z.object({
  design: z.object({ num_cells_by_type: z.record(z.string(), z.number()) }),
});

/** Whether place and route reached the variant's clock. A report without any clock is a failure, not a pass. */
export function timing(plan: Plan, products: Products): TimingVerdict {
  if (familyOf(plan).vendor) return vendorTiming(plan, products);
  const { fmax } = parse(placementSchema, products, paths.timing);
  const speeds = Object.values(fmax).map(({ achieved }) => achieved);
  if (speeds.length === 0) return { met: false, achievedMhz: 0 };
  const achievedMhz = Math.min(...speeds);
  const { clockMargin } = familyOf(plan);
  return { met: achievedMhz * 1e6 >= (products.variant?.clockHz ?? 0) * clockMargin, achievedMhz };
}

/** What the tools measured, in place of the forecast's estimates. */
export function report(plan: Plan, products: Products): Report {
  if (familyOf(plan).vendor) return vendorReport(plan, products);
  const placed = parse(detailedSchema, products, paths.timing);
  const { fmax, utilization, critical_paths, detailed_net_timings } = placed;
  const criticalPath = criticalPathOf(critical_paths);
  const { design } = parse(cellsSchema, products, paths.cells);
  const { achievedMhz } = timing(plan, products);
  const clockHz = products.variant?.clockHz ?? 0;
  const { clockMargin } = familyOf(plan);
  const clocks = { fmax, criticalPaths: critical_paths, netTimings: detailed_net_timings };
  const missedHz = plan.variants.map((variant) => variant.clockHz).filter((hz) => hz > clockHz);
  const missed = [...new Set(missedHz)].map((hz) => `${hz / 1e6} MHz`);
  const label = `${clockHz / 1e6} MHz`;
  const cells = Object.entries(design.num_cells_by_type).filter(([type]) => !type.startsWith("$"));
  return {
    ...plan.forecast,
    resources: familyOf(plan).resources.flatMap(({ keys, id, name }) => {
      const uses = keys.flatMap((key) => utilization[key] ?? []);
      const used = uses.reduce((sum, use) => sum + use.used, 0);
      const available = Math.max(0, ...uses.map((use) => use.available));
      return available > 0 ? [{ id, name, used, available }] : [];
    }),
    ...(achievedMhz === null ? {} : { achievedMhz }),
    clockHz,
    clockLabel: missed.length === 0 ? label : `${label} (${missed.join(", ")} not met)`,
    cells: Object.fromEntries(cells),
    ...(criticalPath ? { criticalPath } : {}),
    sections: sectionUses(plan, products),
    clocks: clockTimings(clocks, (clockHz * clockMargin) / 1e6),
  };
}

const familyOf = (plan: Plan) => getFamily(getBoardModel(plan.boardModel).part);

function parse<Schema extends z.ZodType>(
  schema: Schema,
  products: Products,
  path: string,
): z.infer<Schema> {
  const text = products.text(path);
  if (text === null) throw fail("OUTPUT_MISSING", `The tools left no ${path}.`);
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw fail("OUTPUT_INVALID", `${path} is not the report that was expected.`, { cause });
  }
}
