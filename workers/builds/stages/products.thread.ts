import {
  getEngine,
  type Outcome,
  type PlanHead,
  type Products,
  type TimingVerdict,
} from "@/engines";
import { isAppError } from "@/lib/common/errors";
import { answerThread } from "@/lib/server/process";
import { readProduct } from "../tools/products";

/** What an engine shall read of the products in a work folder, which are megabytes of JSON. */
export interface ProductsTask {
  readonly engine: string;
  readonly plan: PlanHead;
  readonly variant: Products["variant"];
  readonly work: string;
}

/** What an engine reads of them. */
export interface VariantProducts {
  readonly timing: TimingVerdict;
  /** Null for a variant that misses its clock. */
  readonly outcome: Outcome | null;
}

answerThread(({ engine: id, plan, variant, work }: ProductsTask): VariantProducts => {
  const engine = getEngine(id);
  const products = { variant, text: (name: string) => textOf(work, name) };
  const timing = engine.timing(plan, products);
  const isMissed = timing.achievedMhz !== null && !timing.met;
  return { timing, outcome: isMissed ? null : engine.outcome(plan, products) };
});

function textOf(work: string, name: string): string | null {
  try {
    return readProduct(work, name).toString("utf8");
  } catch (error) {
    if (isAppError(error) && error.reason === "OUTPUT_MISSING") return null;
    throw error;
  }
}
