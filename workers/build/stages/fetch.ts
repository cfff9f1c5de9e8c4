import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { recordModel } from "@/domain/builds";
import type { Rows } from "@/engines";
import type { ModelCard, NewRevision } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { fault } from "@/lib/server/process";
import type { ObjectStore } from "@/lib/server/storage";
import { fetchCompanions, fetchSource, parseRows } from "../../fetch";
import { insist } from "../attempt";
import { type AttemptContext, say } from "./attempt-context";

export interface FetchedModel {
  readonly bytes: Uint8Array;
  readonly digest: `sha256:${string}`;
  /** Given with the request, else found beside the model. */
  readonly card: ModelCard | null;
  /** Text of the rows found beside the model. */
  readonly rows: string | null;
}

/** Fetches the model and what lies beside it. @throws {AppError} `SOURCE_DIGEST_MISMATCH` and those of `fetchSource`. */
export async function fetchModel(
  context: AttemptContext,
  { model }: Pick<NewRevision, "model">,
  storage: ObjectStore,
): Promise<FetchedModel> {
  const { buildId, epoch, projectId, signal, work, stages } = context;
  stages.enter("fetch");
  say(context, `Fetching ${new URL(model.url).protocol}//… for the model.`);
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
    rows: beside.rows,
  };
}

/**
 * Splits rows into those that calibrate and those held back to measure with. Where the card gives the range, none is
 * needed to calibrate; else every second one is.
 */
export function splitRows(
  text: string | null,
  width: number,
  card: ModelCard | null,
): { readonly calibration: Rows | null; readonly heldBack: Rows | null } {
  if (text === null) return { calibration: null, heldBack: null };
  const rows = parseRows(text, width);
  if (card?.inputRange) return { calibration: null, heldBack: rows };
  return { calibration: everySecond(rows, 0), heldBack: everySecond(rows, 1) };
}

function everySecond(rows: Rows, from: 0 | 1): Rows | null {
  const taken = Array.from({ length: rows.count }, (_, row) => row).filter(
    (row) => row % 2 === from,
  );
  if (taken.length === 0) return null;
  const values = new Float32Array(taken.length * rows.width);
  for (const [at, row] of taken.entries()) {
    values.set(rows.values.subarray(row * rows.width, (row + 1) * rows.width), at * rows.width);
  }
  return {
    ...rows,
    count: taken.length,
    values,
    labels: rows.labels && Int32Array.from(taken, (row) => rows.labels?.[row] ?? 0),
  };
}
