import type { Endpoint, Features } from "@/lib/common/contract";
import { formatJson } from "./format-json";
import { readDocument, writeDocument } from "./request-document";
import { blankDocument, type GridColumn, gridOf, type RequestGrid, withRows } from "./request-grid";

type Described = Pick<Endpoint, "sample" | "inputs" | "features" | "maxBatchSize">;

/** A valid request: the endpoint's own sample, else one row of zeros in the declared shapes. */
export function sampleText({ sample, inputs }: Pick<Endpoint, "sample" | "inputs">): string {
  if (sample === null || typeof sample !== "object") return blankDocument(inputs);
  const text = JSON.stringify(sample);
  const document = readDocument(text);
  return document ? writeDocument(document) : formatJson(text);
}

/** The grid of the sample: what rows of other sources are put into. */
export function sampleGrid(endpoint: Described): RequestGrid | null {
  for (const text of [sampleText(endpoint), blankDocument(endpoint.inputs)]) {
    const document = readDocument(text);
    const grid = document && gridOf(document, endpoint);
    if (grid) return grid;
  }
  return null;
}

/** As many rows with values drawn anew, each within the range that the card gives it. */
export function randomText(
  grid: RequestGrid,
  { features }: Pick<Endpoint, "features">,
  random: () => number,
): string {
  const drawn = Array.from({ length: Math.max(1, grid.rows) }, () =>
    grid.columns.map((column, at) => drawValue(column, spreadOf(features, at, column), random)),
  );
  return withRows(grid, drawn);
}

interface Spread {
  readonly low: number;
  readonly high: number;
}

/** The range of a value: the card's bounds, else two deviations around its mean, else what is usual. */
function spreadOf(features: Features | undefined, at: number, { low, high }: GridColumn): Spread {
  if (low !== null && high !== null) return { low, high };
  const [mean, deviation] = [features?.mean?.[at], features?.std?.[at]];
  if (mean !== undefined && deviation !== undefined)
    return { low: mean - 2 * deviation, high: mean + 2 * deviation };
  return { low: low ?? -1, high: high ?? 1 };
}

function drawValue({ datatype }: GridColumn, { low, high }: Spread, random: () => number): string {
  if (datatype === "BOOL") return random() < 0.5 ? "true" : "false";
  if (datatype === "BYTES") return String(Math.floor(random() * 1000));
  const value = low + random() * (high - low);
  if (/^(FP|BF)/.test(datatype)) return String(Number(value.toPrecision(4)));
  const least = datatype.startsWith("U") ? 0 : -128;
  return String(Math.min(127, Math.max(least, Math.round(value))));
}
