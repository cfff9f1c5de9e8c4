import { findSigningKey } from "@/domain/artifacts";
import type { Plan } from "@/engines";
import { type Origin, type Report, reportSchema } from "@/lib/common/contract";
import { insist } from "../attempt";
import { readProduct } from "../tools";
import { type AttemptContext, say } from "./attempt-context";
import type { Verified } from "./verify";

/** Nothing is proven here of what was made elsewhere, and the build says so. */
export function skipProof(context: AttemptContext, { proof }: Origin): Verified {
  say(context, `Made elsewhere: ${proof}.`);
  context.stages.skip("verify", "it comes finished: nothing of it is proven here");
  return { proof: null, products: [] };
}

/**
 * What the database keeps of what was made elsewhere. An artifact that one of our own keys signed was made here: its report
 * is our own, and says what was proven then.
 */
export async function reportOfOrigin(
  { signal, work }: Pick<AttemptContext, "signal" | "work">,
  { origin, products }: Pick<Plan, "origin" | "products">,
  report: Report,
): Promise<Report> {
  const maker = origin?.maker;
  const own = products.find(({ role }) => role === "report");
  if (!maker || !own) return report;
  const key = await insist(signal, () => findSigningKey(maker.keyId));
  if (key?.publicKey !== maker.publicKey) return report;
  return reportSchema.parse(JSON.parse(readProduct(work.path, own.path).toString("utf8")));
}
