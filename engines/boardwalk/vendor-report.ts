import { z } from "zod";
import { type BoardModel, getBoardModel, getFamily, type VendorFlow } from "@/boards";
import type { Report } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import type { Plan, Products, TimingVerdict } from "../engine";
import { paths } from "./paths";

/** As much of Yosys's `stat -json` as is read. */
const cellsSchema = z.object({
  design: z.object({ num_cells_by_type: z.record(z.string(), z.number()) }),
});

/** Whether the vendor's tool reached the variant's clock. Where it did not run nobody knows, and nothing says that it did not. */
export function vendorTiming(plan: Plan, products: Products): TimingVerdict {
  const { vendor } = boardOf(plan);
  if (!hasBitstream(plan)) return { met: true, achievedMhz: null };
  const clockHz = products.variant?.clockHz ?? 0;
  const { achievedMhz } = vendor.measure(readerOf(products), clockHz);
  return { met: achievedMhz * 1e6 >= clockHz, achievedMhz };
}

/** What the vendor's tool measured; where it did not run, what Yosys counts, called an estimate. */
export function vendorReport(plan: Plan, products: Products): Report {
  const { board, vendor, rows, available } = boardOf(plan);
  const clockHz = products.variant?.clockHz ?? 0;
  const read = readerOf(products);
  const cells = cellsSchema.parse(JSON.parse(read(paths.cells))).design.num_cells_by_type;
  const label = `${clockHz / 1e6} MHz`;
  const tool = vendor.tool(board);
  const base = {
    ...plan.forecast,
    clockHz,
    cells: Object.fromEntries(Object.entries(cells).filter(([type]) => !type.startsWith("$"))),
  };
  if (!hasBitstream(plan)) {
    const used = vendor.estimate(cells);
    return {
      ...base,
      resources: rows.map(({ id, name }) => ({
        id,
        name,
        used: used[id] ?? 0,
        available: available[id] ?? 0,
      })),
      clockLabel: `${label}, not checked: needs ${tool}`,
      bitstreamNeeds: tool,
    };
  }
  const { used, achievedMhz } = vendor.measure(read, clockHz);
  return {
    ...base,
    resources: rows.flatMap(({ id, name }) => {
      const use = used[id];
      return use ? [{ id, name, ...use }] : [];
    }),
    achievedMhz,
    clockLabel: label,
  };
}

function boardOf(plan: Plan): {
  readonly board: BoardModel;
  readonly vendor: VendorFlow;
  readonly rows: readonly { readonly id: string; readonly name: string }[];
  readonly available: Readonly<Record<string, number>>;
} {
  const board = getBoardModel(plan.boardModel);
  const { vendor, resources: rows } = getFamily(board.part);
  if (!vendor) throw new RangeError(`${board.name} needs no vendor.`);
  const { lut, ff, bramBlocks: bram, dsp } = board.part.resources;
  return { board, vendor, rows, available: { lut, ff, bram, dsp } };
}

const hasBitstream = ({ products }: Plan) => products.some(({ role }) => role === "bitstream");

const readerOf = (products: Products) => (path: string) => {
  const text = products.text(path);
  if (text === null) throw fail("OUTPUT_MISSING", `The tools left no ${path}.`);
  return text;
};
