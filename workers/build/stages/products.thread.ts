import { getEngine, type PlanHead, type Products } from "@/engines";
import { isAppError } from "@/lib/common/errors";
import { answerThread } from "@/lib/server/process";
import { readProduct } from "../tools/products";

/** What an engine shall read of the products in a work folder, which are megabytes of JSON. */
export interface ProductsTask {
  readonly read: "timing" | "outcome";
  readonly engine: string;
  readonly plan: PlanHead;
  readonly variant: Products["variant"];
  readonly work: string;
}

answerThread(({ read, engine, plan, variant, work }: ProductsTask) =>
  getEngine(engine)[read](plan, { variant, text: (name) => textOf(work, name) }),
);

function textOf(work: string, name: string): string | null {
  try {
    return readProduct(work, name).toString("utf8");
  } catch (error) {
    if (isAppError(error) && error.reason === "OUTPUT_MISSING") return null;
    throw error;
  }
}
