import type { Tx } from "@/lib/server/db";

/** Whoever decides for a plan (which build makes its artifact, whether that is deleted) does so alone, until the end of `tx`. */
export async function lockPlan(tx: Tx, planDigest: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${planDigest}, 0))`;
}
