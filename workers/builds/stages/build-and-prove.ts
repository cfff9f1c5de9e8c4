import type { Outcome, Variant } from "@/engines";
import type { ProvenLevel } from "@/lib/common/contract";
import type { AttemptContext } from "./attempt-context";
import { checkConversion, writeRows } from "./conversion";
import type { ReadModel } from "./fetch-and-read";
import { skipProof } from "./origin";
import { type ExecuteOptions, runCommonSteps, runVariants } from "./run-steps";
import { type Verified, verify } from "./verify";
import { verifyBitstream, verifyNetlist, verifyShell } from "./verify-netlist";

const verifyLevel = { netlist: verifyNetlist, shell: verifyShell, bitstream: verifyBitstream };

/** What the tools made of a plan, and what is proven of it. */
export interface Proven {
  readonly outcome: Outcome;
  readonly verified: Verified;
  /** What the variant that was taken answered right. */
  readonly levels: readonly ProvenLevel[];
  readonly clockHz: number | null;
}

/**
 * Runs the tools of a plan and proves what they make, each thing as soon as it is there.
 *
 * @param noBitstream Why there will be no bitstream; null where there will be one.
 * @throws {AppError} `VERIFICATION_FAILED`, and what the tools throw.
 */
export async function buildAndProve(
  context: AttemptContext,
  read: ReadModel,
  execution: ExecuteOptions,
  noBitstream: string | null,
): Promise<Proven> {
  const { plan, engine } = execution;
  const verified = await buildAndVerify(context, read, execution);
  if (noBitstream !== null)
    for (const stage of ["place", "pack"] as const) context.stages.skip(stage, noBitstream);
  const proven = new Map<Variant, ProvenLevel[]>();
  const finished = await runVariants(context, execution, async (context, variant, level) => {
    const found = await verifyLevel[level](context, { plan, variant }, verified);
    if (found) proven.set(variant, [...(proven.get(variant) ?? []), found]);
  });
  const levels = finished ? proven.get(finished.variant) : [];
  if (!levels) throw new TypeError("a variant without a proven netlist");
  // Nothing was placed, so there is nothing to read.
  const outcome = finished?.outcome ?? engine.outcome(plan, { variant: null, text: () => null });
  return { outcome, verified, levels, clockHz: finished?.variant.clockHz ?? null };
}

/** What does not depend on the clock. It is verified before the slow tools: a wrong design is not worth placing. */
async function buildAndVerify(
  context: AttemptContext,
  { model, judged, card, rows }: ReadModel,
  execution: ExecuteOptions,
): Promise<Verified> {
  const { plan } = execution;
  const { conversion, io } = plan;
  const classNames = card?.classes ?? null;
  const hasClasses = classNames !== null;
  const subject = conversion && { conversion, io, heldBack: rows.heldBack, hasClasses };
  if (subject) await writeRows(context, subject);
  await runCommonSteps(context, execution);
  if (plan.origin) return skipProof(context, plan.origin);
  const converted = subject ? await checkConversion(context, subject) : null;
  const checked = await verify(context, {
    plan,
    model: converted?.model ?? judged,
    graph: converted?.graph ?? model.graph,
    heldBack: rows.heldBack,
    calibration: rows.calibration,
    classNames,
  });
  return converted?.proof ? { ...checked, proof: converted.proof } : checked;
}
