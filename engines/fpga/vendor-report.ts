import { type BoardModel, getBoardModel, getFamily, type VendorFlow } from "@/boards";
import type { Report } from "@/lib/common/contract";
import type { PlanHead, Products, TimingVerdict } from "../engine";
import { cellCounts, textOf } from "./read-products";

/** Whether the vendor's tool reached the variant's clock. Where it did not run nobody knows, and nothing says that it did not. */
export function vendorTiming(plan: PlanHead, products: Products): TimingVerdict {
  const { vendor } = boardOf(plan);
  if (!hasBitstream(plan)) return { met: true, achievedMhz: null };
  const clockHz = products.variant?.clockHz ?? 0;
  const { achievedMhz } = vendor.measure((path) => textOf(products, path), clockHz);
  return { met: achievedMhz * 1e6 >= clockHz, achievedMhz };
}

/** What the vendor's tool measured; where it did not run, what Yosys counts, called an estimate. */
export function vendorReport(plan: PlanHead, products: Products): Report {
  const { board, vendor, rows, available } = boardOf(plan);
  const clockHz = products.variant?.clockHz ?? 0;
  const cells = cellCounts(products);
  const label = `${clockHz / 1e6} MHz`;
  const tool = vendor.tool(board);
  const base = { ...plan.forecast, clockHz, cells };
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
  const { used, achievedMhz } = vendor.measure((path) => textOf(products, path), clockHz);
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

function boardOf(plan: PlanHead): {
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

const hasBitstream = ({ products }: PlanHead) => products.some(({ role }) => role === "bitstream");
