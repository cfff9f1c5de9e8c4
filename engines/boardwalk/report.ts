import { z } from "zod";
import type { Report } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import type { Plan, Products, TimingVerdict } from "../engine";
import { paths } from "./steps";

/** As much of nextpnr's report as is read. */
const placementSchema = z.object({
  /** By mangled net name; the smallest counts. */
  fmax: z.record(z.string(), z.object({ achieved: z.number() })),
  utilization: z.record(z.string(), z.object({ used: z.number(), available: z.number() })),
});

/** As much of Yosys's `stat -json` as is read. */
const cellsSchema = z.object({
  design: z.object({ num_cells_by_type: z.record(z.string(), z.number()) }),
});

const resourceNames = [
  { key: "ICESTORM_LC", id: "lut", name: "Logic cells" },
  { key: "ICESTORM_RAM", id: "bram", name: "Block RAM" },
  { key: "ICESTORM_DSP", id: "dsp", name: "Multipliers" },
  { key: "ICESTORM_PLL", id: "pll", name: "PLLs" },
  { key: "SB_IO", id: "io", name: "Pins" },
] as const;

/** Whether place and route reached the variant's clock. A report without any clock is a failure, not a pass. */
export function timing(_plan: Plan, products: Products): TimingVerdict {
  const { fmax } = parse(placementSchema, products, paths.timing);
  const speeds = Object.values(fmax).map(({ achieved }) => achieved);
  if (speeds.length === 0) return { met: false, achievedMhz: 0 };
  const achievedMhz = Math.min(...speeds);
  return { met: achievedMhz * 1e6 >= (products.variant?.clockHz ?? 0), achievedMhz };
}

/** What the tools measured, in place of the forecast's estimates. */
export function report(plan: Plan, products: Products): Report {
  const { utilization } = parse(placementSchema, products, paths.timing);
  const { design } = parse(cellsSchema, products, paths.cells);
  const { achievedMhz } = timing(plan, products);
  const clockHz = products.variant?.clockHz ?? 0;
  const missed = plan.variants.filter((variant) => variant.clockHz > clockHz);
  const label = `${clockHz / 1e6} MHz`;
  const cells = Object.entries(design.num_cells_by_type).filter(([type]) => !type.startsWith("$"));
  return {
    ...plan.forecast,
    resources: resourceNames.flatMap(({ key, id, name }) => {
      const use = utilization[key];
      return use && use.available > 0 ? [{ id, name, ...use }] : [];
    }),
    achievedMhz,
    clockHz,
    clockLabel:
      missed.length === 0
        ? label
        : `${label} (${missed.map(({ name }) => name).join(", ")} not met)`,
    cells: Object.fromEntries(cells),
  };
}

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
