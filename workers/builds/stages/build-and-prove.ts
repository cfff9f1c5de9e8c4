import type { Outcome, Plan, Variant } from "@/engines";
import type { ProvenLevel } from "@/lib/common/contract";
import type { AttemptContext } from "./attempt-context";
import { checkConversion, writeRows } from "./conversion";
import { verifyEmulation, writeEmulationRows } from "./emulation";
import type { ReadModel } from "./fetch-and-read";
import { skipProof } from "./origin";
import { type ExecuteOptions, runCommonSteps, runVariants } from "./run-steps";
import { sideBySide } from "./side-by-side";
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
  await writeSamples(context, read, execution.plan);
  await runCommonSteps(context, execution);
  if (noBitstream !== null)
    for (const stage of ["place", "pack"] as const) context.stages.skip(stage, noBitstream);
  const verifyCommon = (context: AttemptContext) => proveCommon(context, read, execution);
  if (execution.plan.synthesis.length === 0)
    return await buildVariants(context, execution, await verifyCommon(context));
  // The vectors take seconds on one core, synthesis the longer on another; a wrong design ends both.
  return await sideBySide(
    context,
    (context, verified) => buildVariants(context, execution, verified),
    verifyCommon,
  );
}

/** Writes what the common steps read of the model's own rows. */
async function writeSamples(context: AttemptContext, read: ReadModel, plan: Plan): Promise<void> {
  const { emulation, conversion } = subjectsOf(read, plan);
  if (emulation) await writeEmulationRows(context, emulation);
  else if (conversion) await writeRows(context, conversion);
}

function subjectsOf({ card, rows: { heldBack } }: ReadModel, plan: Plan) {
  const { conversion, emulation, io } = plan;
  const classNames = card?.classes ?? null;
  return {
    emulation: emulation && { emulation, io, heldBack, classNames },
    conversion: conversion && { conversion, io, heldBack, hasClasses: classNames !== null },
  };
}

/** Verifies what the common steps made: what does not depend on the clock. */
async function proveCommon(
  context: AttemptContext,
  read: ReadModel,
  execution: ExecuteOptions,
): Promise<Verified> {
  const { plan } = execution;
  const { emulation, conversion } = subjectsOf(read, plan);
  if (emulation) return await verifyEmulation(context, emulation, execution);
  if (plan.origin) return skipProof(context, plan.origin);
  const converted = conversion ? await checkConversion(context, conversion) : null;
  const checked = await verify(context, {
    plan,
    model: converted?.model ?? read.judged,
    graph: converted?.graph ?? read.model.graph,
    heldBack: read.rows.heldBack,
    calibration: read.rows.calibration,
    classNames: read.card?.classes ?? null,
  });
  return converted?.proof ? { ...checked, proof: converted.proof } : checked;
}

/** Makes the bitstream of the first variant that meets its clock, and proves the netlist that it comes from. */
async function buildVariants(
  context: AttemptContext,
  execution: ExecuteOptions,
  common: Verified | Promise<Verified>,
): Promise<Proven> {
  const { plan, engine } = execution;
  const proven = new Map<Variant, ProvenLevel[]>();
  const finished = await runVariants(context, execution, async (context, variant, level) => {
    const found = await verifyLevel[level](context, { plan, variant }, await common);
    if (found) proven.set(variant, [...(proven.get(variant) ?? []), found]);
  });
  const verified = await common;
  const levels = finished ? proven.get(finished.variant) : [];
  if (!levels) throw new TypeError("a variant without a proven netlist");
  // Nothing was placed, so there is nothing to read.
  const outcome = finished?.outcome ?? engine.outcome(plan, { variant: null, text: () => null });
  return { outcome, verified, levels, clockHz: finished?.variant.clockHz ?? null };
}
