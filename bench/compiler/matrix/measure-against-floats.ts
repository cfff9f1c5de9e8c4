import { runThread } from "@/lib/server/process";
import { rowsOfVectors } from "@/workers/agreement";
import type { FloatTask, Measured } from "@/workers/builds/stages/float.thread";
import type { PlannedModel } from "./plan-model";
import type { Built } from "./row";

/** Rows made up for models that have none. */
const syntheticRows = 256;

/** The report's own measure of integers against floats, on rows that did not calibrate; `rows` is 0 where they are made up. */
export async function measureAgainstFloats({
  plan,
  model,
  calibration,
  heldBack,
}: PlannedModel): Promise<Built["accuracy"]> {
  const rows = heldBack ?? rowsOfVectors(plan.vectors.slice(-syntheticRows), plan.io);
  if (!rows || !model.graph || !plan.reference) throw new TypeError("nothing to measure with");
  const task: FloatTask = {
    kind: "agreement",
    model: model.bytes,
    graph: model.graph,
    reference: plan.reference,
    io: plan.io,
    rows,
    synthetic: heldBack === null,
    calibration: plan.forecast.calibration ?? null,
    calibrationRows: calibration,
    classNames: null,
  };
  const { accuracy } = await runThread<Measured>("workers/builds/stages/float.thread", task);
  const { agreement, floatAccuracy, integerAccuracy, maxAbsError } = accuracy;
  return {
    rows: heldBack?.count ?? 0,
    agreement,
    floatAccuracy,
    integerAccuracy,
    maxAbsError,
  };
}
