import type { ProvenLevel } from "@/lib/common/contract";
import { type ErrorData, toErrorData } from "@/lib/common/errors";
import { database, type Tx } from "@/lib/server/db";

type Db = Pick<Tx, "$executeRaw">;

/**
 * Adds to an artifact's report what was proven of its very bytes, unless that is there. A machine may have checkers that
 * the one that made it had not. A proof of the bitstream ends a refusal, which rests on the same check.
 */
export async function addProof(
  digest: string,
  proven: ProvenLevel,
  db: Db = database(),
): Promise<void> {
  await db.$executeRaw`
    UPDATE artifact SET
      refused = CASE WHEN ${proven.level === "bitstream"} THEN NULL ELSE refused END,
      report = CASE
        WHEN report #> '{proof,levels}' @> ${JSON.stringify([{ level: proven.level }])}::jsonb THEN report
        ELSE jsonb_set(report, '{proof,levels}', (report #> '{proof,levels}') || ${JSON.stringify(proven)}::jsonb) END
    WHERE digest = ${digest} AND jsonb_typeof(report #> '{proof,levels}') = 'array'`;
}

/** Notes that an artifact does not answer as its model: no build takes it from then on. */
export async function refuseArtifact(digest: string, error: unknown): Promise<void> {
  const problem: ErrorData = toErrorData(error);
  await database()
    .$executeRaw`UPDATE artifact SET refused = ${JSON.stringify(problem)}::jsonb WHERE digest = ${digest}`;
}
