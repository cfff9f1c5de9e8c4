import { rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { leaseLost } from "@/domain/leases";
import {
  type ClaimedInspection,
  claimInspection,
  finishInspection,
  parseInspectionRequest,
  renewInspection,
  showProgress,
} from "@/domain/models";
import { isAppError, toErrorData } from "@/lib/common/errors";
import { buildWorkerEnv } from "@/lib/server/env";
import { makeTemporaryFolder } from "@/lib/server/process";
import { objectStore } from "@/lib/server/storage";
import { fetchCompanions, fetchParts, fetchSource } from "../fetch";
import { defineProcessor, type JobContext, keepLease } from "../runtime";
import { makeFloatAnswer } from "./float/float-answer";
import { inspectFile } from "./inspect-bytes";
import { inspectRows } from "./inspect-rows";
import { runSearch } from "./search/run-search";
import { readTestRows } from "./test-rows";
import { tryConnection } from "./try-connection";
import { withRowsBeside } from "./with-rows-beside";

/** A person waits for the answer: sources get little time to come back. */
const retryForMs = 15_000;

/**
 * Does one inspection. Safe to run twice: the claim answers null unless the inspection waits, and its end is only
 * written while the claim is the newest. What a stop leaves open is taken up again when its lease has run out.
 */
export const inspectProcessor = defineProcessor({
  name: "inspect.run",
  queue: "inspect",
  payload: z.object({ inspectionId: z.uuid() }),
  async run({ inspectionId }, ctx) {
    const { LEASE_S } = buildWorkerEnv();
    const claim = await claimInspection(inspectionId, ctx.workerId, LEASE_S);
    if (!claim) return;
    const lease = holdLease(claim, ctx);
    try {
      const result = await inspect(claim, lease.signal);
      await finishInspection(claim.id, claim.epoch, { result });
    } catch (error) {
      if (lease.signal.aborted || (isAppError(error) && error.reason === "LEASE_LOST")) return;
      if (!isAppError(error)) ctx.log.error({ err: error }, "inspection failed");
      await finishInspection(claim.id, claim.epoch, { problem: toErrorData(error) });
    } finally {
      lease.close();
    }
  },
});

/** Fetches what is to be inspected into a folder that is gone afterwards, and inspects it. */
async function inspect(
  { id, epoch, url, projectId, request }: ClaimedInspection,
  signal: AbortSignal,
): Promise<unknown> {
  const folder = makeTemporaryFolder("inspect");
  try {
    const options = { projectId, storage: objectStore(), signal, retryForMs };
    const asked = parseInspectionRequest(request);
    if (asked?.kind === "connection") return await tryConnection(asked, signal);
    if (asked?.kind === "rows") return await inspectRows({ ...asked, url }, { ...options, folder });
    if (asked?.kind === "test-rows")
      return await readTestRows({ ...asked, url }, { ...options, folder });
    if (asked?.kind === "float")
      return await makeFloatAnswer({ ...asked, url }, { ...options, folder });
    if (asked?.kind === "search") {
      return await runSearch(asked, { ...options, folder }, (result) =>
        showProgress(id, epoch, result),
      );
    }
    const { path } = await fetchSource(url, { ...options, path: join(folder, "model") });
    const { card, rows } = await fetchCompanions(url, options);
    const beside = await fetchParts(url, path, options);
    const inspection = await inspectFile(path, { card, beside, signal });
    return await withRowsBeside(inspection, { card, rows }, signal);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Keeps the claim until closed; the signal aborts when it is lost, or when the worker stops. */
function holdLease({ id, epoch }: ClaimedInspection, ctx: JobContext) {
  const { LEASE_S, RENEW_S } = buildWorkerEnv();
  const lost = new AbortController();
  const { close } = keepLease({
    renewS: RENEW_S,
    renew: async () =>
      (await renewInspection(id, epoch, LEASE_S)) ? null : leaseLost("inspection"),
    onEnd: (why) => lost.abort(why),
  });
  return { signal: AbortSignal.any([ctx.signal, lost.signal]), close };
}
