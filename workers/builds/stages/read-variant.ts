import type { Engine, Plan, PlanHead, Variant } from "@/engines";
import { runThread } from "@/lib/server/process";
import type { AttemptContext } from "./attempt-context";
import type { ProductsTask, VariantProducts } from "./products.thread";

export type { VariantProducts };

interface Built {
  readonly plan: Plan;
  readonly engine: Engine;
}

/**
 * Reads what the tools left of a variant in the work folder: whether it meets its clock, and what it is.
 *
 * @throws {AppError} of the engine.
 */
export function readVariant(
  { work, signal }: AttemptContext,
  { engine, plan }: Built,
  { clockHz }: Variant,
): Promise<VariantProducts> {
  const task: ProductsTask = {
    engine: engine.id,
    plan: headOf(plan),
    variant: { clockHz },
    work: work.path,
  };
  return runThread<VariantProducts>("workers/builds/stages/products.thread", task, { signal });
}

function headOf({ boardModel, products, sections, forecast, variants }: Plan): PlanHead {
  return {
    boardModel,
    products,
    ...(sections ? { sections } : {}),
    forecast,
    variants: variants.map(({ clockHz }) => ({ clockHz })),
  };
}
