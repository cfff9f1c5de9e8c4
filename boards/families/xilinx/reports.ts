import { fail } from "@/lib/common/errors";
import type { VendorMeasure } from "../family";

const utilization = "utilization.rpt";
const timing = "timing.rpt";
/** What the scripts ask Vivado for: `report_utilization` and `report_timing_summary`. */
export const reports = [utilization, timing] as const;

/** Names of one resource in the tables of `report_utilization`, 7 series and UltraScale+ (AMD UG906). */
const siteTypes: Readonly<Record<string, readonly string[]>> = {
  lut: ["Slice LUTs", "CLB LUTs"],
  ff: ["Slice Registers", "CLB Registers"],
  bram: ["Block RAM Tile"],
  dsp: ["DSPs"],
};

/**
 * Reads Vivado's reports of a routed design. The worst slack is that of the slowest path of any clock, so it is held
 * against the design's own.
 *
 * @throws {AppError} `OUTPUT_INVALID`
 */
export function measure(text: (path: string) => string, clockHz: number): VendorMeasure {
  return { achievedMhz: achievedMhz(text(timing), clockHz), used: usesOf(text(utilization)) };
}

function achievedMhz(report: string, clockHz: number): number {
  // The summary's first table: a line of names, a line of dashes, a line of numbers.
  const row = /^\s*WNS\(ns\)\s+TNS\(ns\).*\n[ \t-]+\r?\n\s*(-?[\d.]+|NA)\s/m.exec(report)?.[1];
  const slackNs = Number(row);
  if (row === undefined || !Number.isFinite(slackNs)) {
    throw fail("OUTPUT_INVALID", `${timing} tells no worst slack: was the design constrained?`);
  }
  return 1e3 / (1e9 / clockHz - slackNs);
}

function usesOf(report: string): VendorMeasure["used"] {
  const tables = rowsOf(report);
  return Object.fromEntries(
    Object.entries(siteTypes).map(([id, names]) => {
      const row = tables.find(({ name }) => names.includes(name));
      if (!row) throw fail("OUTPUT_INVALID", `${utilization} has no row ${names.join(" or ")}.`);
      return [id, { used: Math.ceil(row.used), available: row.available }];
    }),
  );
}

/** Rows of all tables; columns are found by their heads, since versions have different ones. */
function rowsOf(report: string) {
  const rows: { name: string; used: number; available: number }[] = [];
  let heads: string[] = [];
  for (const line of report.split("\n")) {
    if (!line.startsWith("|")) continue;
    const cells = line
      .split("|")
      .map((cell) => cell.trim())
      .slice(1, -1);
    if (cells.includes("Used")) {
      heads = cells;
      continue;
    }
    const at = (head: string) => Number(cells[heads.indexOf(head)]);
    const name = (cells[0] ?? "").replace(/\*+$/, "");
    if (Number.isFinite(at("Used")))
      rows.push({ name, used: at("Used"), available: at("Available") });
  }
  return rows;
}
