import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { recordModel } from "@/domain/builds";
import type { ModelCard, NewRevision } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { maxRowsBytes } from "@/lib/common/rows";
import { fault } from "@/lib/server/process";
import type { ObjectStore } from "@/lib/server/storage";
import { fetchCompanions, fetchParts, fetchSource, type Parts } from "../../fetch";
import { insist } from "../attempt";
import { type AttemptContext, say } from "./attempt-context";

/** A model's bytes, and what was found beside it. */
export interface FetchedModel {
  readonly bytes: Uint8Array;
  readonly digest: `sha256:${string}`;
  /** Given with the request, else found beside the model. */
  readonly card: ModelCard | null;
  /** `test.csv` beside the model. */
  readonly beside: Uint8Array | null;
  /** Files of the same name, of a firmware that is more than one. */
  readonly parts: Parts;
  /** Rows given to calibrate with. */
  readonly given: { readonly bytes: Uint8Array; readonly source: string } | null;
}

/** Fetches the model and what lies beside it. @throws {AppError} `SOURCE_DIGEST_MISMATCH` and those of `fetchSource`. */
export async function fetchModel(
  context: AttemptContext,
  { model, calibration }: Pick<NewRevision, "model" | "calibration">,
  storage: ObjectStore,
): Promise<FetchedModel> {
  const { buildId, epoch, projectId, signal, work, stages } = context;
  stages.enter("fetch");
  say(context, `Fetching ${withoutQuery(model.url)}.`);
  const path = join(work.path, "model.bin");
  let first = true;
  const { digest, sizeBytes } = await fetchSource(model.url, {
    projectId,
    storage,
    path,
    signal,
    onProgress: () => {
      if (first) fault("worker.in-fetch");
      first = false;
    },
  });
  if (model.digest && model.digest !== digest) {
    throw fail("SOURCE_DIGEST_MISMATCH", "The model is not the one that was asked for.", {
      details: { expected: model.digest, got: digest },
    });
  }
  say(context, `${sizeBytes} bytes, ${digest}.`);
  await insist(signal, () => recordModel(buildId, epoch, { digest }));
  const beside = await fetchCompanions(model.url, { projectId, storage, signal });
  return {
    bytes: await readFile(path),
    digest,
    card: model.card ?? beside.card,
    beside: beside.rows,
    parts: await fetchParts(model.url, path, { projectId, storage, signal }),
    given: calibration ? await fetchGiven(context, calibration, storage) : null,
  };
}

async function fetchGiven(
  { projectId, signal, work }: AttemptContext,
  { url, name }: NonNullable<NewRevision["calibration"]>,
  storage: ObjectStore,
): Promise<FetchedModel["given"]> {
  const path = join(work.path, "rows.bin");
  await fetchSource(url, { projectId, storage, signal, path, limitBytes: maxRowsBytes });
  const source = name ?? new URL(url).pathname.split("/").at(-1) ?? "rows";
  return { bytes: await readFile(path), source };
}

/** A query may hold a signature. */
function withoutQuery(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
