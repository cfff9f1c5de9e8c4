import { rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import {
  type ClaimedInspection,
  claimInspection,
  finishInspection,
  parseLook,
  renewInspection,
  showProgress,
} from "@/domain/models";
import { fail, isAppError, toErrorData } from "@/lib/common/errors";
import { buildWorkerEnv } from "@/lib/server/env";
import { makeTemporaryFolder } from "@/lib/server/process";
import { objectStore } from "@/lib/server/storage";
import { fetchCompanions, fetchSource } from "../fetch";
import { lookAtRows, runSearch } from "../look";
import { defineProcessor, type JobContext } from "../runtime";
import { inspectFile } from "./inspect-bytes";

/** A person waits for the answer: sources get little time to come back. */
const retryForMs = 15_000;

/**
 * Looks at one model URL. Safe to run twice: the claim answers null unless the inspection waits, and its end is only
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
      const result = await lookAt(claim, lease.signal);
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

/** Fetches what is to be looked at into a folder that is gone afterwards, and looks at it. */
async function lookAt(
  { id, epoch, url, projectId, request }: ClaimedInspection,
  signal: AbortSignal,
): Promise<unknown> {
  const folder = makeTemporaryFolder("inspect");
  try {
    const options = { projectId, storage: objectStore(), signal, retryForMs };
    const look = parseLook(request);
    if (look?.kind === "rows") return await lookAtRows({ ...look, url }, { ...options, folder });
    if (look?.kind === "search") {
      return await runSearch(look, { ...options, folder }, (result) =>
        showProgress(id, epoch, result),
      );
    }
    const { path } = await fetchSource(url, { ...options, path: join(folder, "model") });
    const { card } = await fetchCompanions(url, options);
    return await inspectFile(path, { card, signal });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Renews the claim until closed; the signal aborts when it is lost, or when the worker stops. */
function holdLease({ id, epoch }: ClaimedInspection, ctx: JobContext) {
  const { LEASE_S, RENEW_S } = buildWorkerEnv();
  const lost = new AbortController();
  const timer = setInterval(() => {
    renewInspection(id, epoch, LEASE_S).then(
      (held) => {
        if (!held) lost.abort(fail("LEASE_LOST", "Another worker has this inspection."));
      },
      (err: unknown) => ctx.log.warn({ err }, "lease not renewed"),
    );
  }, RENEW_S * 1000);
  return {
    signal: AbortSignal.any([ctx.signal, lost.signal]),
    close: () => clearInterval(timer),
  };
}
