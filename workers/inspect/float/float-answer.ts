import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { findHgqLayer } from "@/engines";
import type { FloatAnswer } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { runThread } from "@/lib/server/process";
import { type FetchOptions, fetchSource } from "../../fetch";
import { inspectAndRead } from "../inspect-bytes";
import type { FloatAnswerTask, RunAnswer } from "./float-answer.thread";

const limitMs = 60_000;

/**
 * Answers a V2 request by the model itself, in floating point: the file is fetched again, held against the digest that was
 * built from, and run by ONNX Runtime. Nothing is deployed.
 *
 * @throws {AppError} `SOURCE_DIGEST_MISMATCH` where the address holds another file by now; `MODEL_UNSUPPORTED` for formats
 *   that have no float model here; `INFER_INVALID`, and those of fetching and inspecting.
 */
export async function makeFloatAnswer(
  { url, digest, request }: { url: string; digest: string; request: string },
  { folder, ...options }: Omit<FetchOptions, "path"> & { readonly folder: string },
): Promise<Omit<FloatAnswer, "cpu">> {
  const { signal } = options;
  const fetched = await fetchSource(url, { ...options, path: join(folder, "model") });
  if (fetched.digest !== digest) {
    throw fail("SOURCE_DIGEST_MISMATCH", "The model's address holds another file by now.", {
      details: { expected: digest, got: fetched.digest },
      hint: "Deploy the model again: what serves was built from the earlier file.",
    });
  }
  const bytes = await readFile(fetched.path);
  const { graph, inspection } = await inspectAndRead(bytes, { signal });
  if (graph === null || findHgqLayer(graph)) {
    throw fail("MODEL_UNSUPPORTED", `A model of the format ${inspection.format} is not run here.`, {
      hint: "ONNX, Keras and XGBoost models have a float answer; firmware has none.",
    });
  }
  const task: FloatAnswerTask = { bytes, graph, format: inspection.format, request };
  const run = await runThread<RunAnswer>("workers/inspect/float/float-answer.thread", task, {
    signal,
    timeoutMs: limitMs,
  });
  return { ...run, modelDigest: digest };
}
