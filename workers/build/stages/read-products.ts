import type { Engine, Outcome, Plan, PlanHead, TimingVerdict, Variant } from "@/engines";
import { runThread } from "@/lib/server/process";
import type { AttemptContext } from "./attempt-context";
import type { ProductsTask } from "./products.thread";

interface Built {
  readonly plan: Plan;
  readonly engine: Engine;
}

/** Whether a variant, whose products lie in the work folder, meets its clock. @throws {AppError} of the engine. */
export const readTiming = (
  context: AttemptContext,
  built: Built,
  variant: Variant,
): Promise<TimingVerdict> => read(context, "timing", built, variant);

/** What became of a plan. @throws {AppError} of the engine. */
export async function readOutcome(
  context: AttemptContext,
  built: Built,
  variant: Variant | null,
): Promise<Outcome> {
  const { engine, plan } = built;
  // Nothing was placed, so there is nothing to read.
  if (!variant) return engine.outcome(plan, { variant, text: () => null });
  return await read(context, "outcome", built, variant);
}

function read<Answer>(
  { work, signal }: AttemptContext,
  what: ProductsTask["read"],
  { engine, plan }: Built,
  { clockHz }: Variant,
): Promise<Answer> {
  const task: ProductsTask = {
    read: what,
    engine: engine.id,
    plan: headOf(plan),
    variant: { clockHz },
    work: work.path,
  };
  return runThread<Answer>("workers/build/stages/products.thread", task, { signal });
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
