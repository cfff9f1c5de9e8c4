import type { Inspection } from "@/lib/common/contract";
import type { Companions } from "../fetch";
import { settleRows } from "../rows";

/** An inspection that knows whether a build would take the range of the inputs from the rows beside the model. */
export async function withRowsBeside(
  inspection: Inspection,
  { card, rows: beside }: Companions,
  signal: AbortSignal,
): Promise<Inspection> {
  if (inspection.rangeFrom !== null || beside === null) return inspection;
  const files = { card, beside, given: null };
  const { calibration } = await settleRows(inspection, files, { signal, say: () => {} });
  return calibration ? { ...inspection, rangeFrom: "rows" } : inspection;
}
