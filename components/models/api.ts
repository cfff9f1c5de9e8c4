import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { getJson, postJson } from "@/lib/common/api-client";
import {
  type Inspection,
  inspectionPendingSchema,
  inspectionSchema,
  type Model,
  modelSchema,
  problemSchema,
} from "@/lib/common/contract";
import { fail, isReason } from "@/lib/common/errors";
import { type UploadOptions, uploadFile } from "./upload-file";

const answerSchema = z.union([inspectionSchema, inspectionPendingSchema]);
const progressSchema = z.union([
  inspectionSchema,
  z.object({
    state: z.string(),
    result: inspectionSchema.nullish(),
    problem: problemSchema.nullish(),
  }),
]);

const pollMs = 1000;

/** Reads a model without storing it. A slow source answers later; then the answer is asked for until it is there. */
export async function inspectModel(url: string, signal: AbortSignal): Promise<Inspection> {
  const first = await postJson("/api/v1/models/inspect", { url }, answerSchema, { signal });
  if ("inputs" in first) return first;
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    const answer = await getJson(first.url, progressSchema, { signal });
    if ("inputs" in answer) return answer;
    if (answer.result) return answer.result;
    if (answer.problem) {
      const { reason, message, hint } = answer.problem;
      throw fail(
        isReason(reason) ? reason : "INTERNAL",
        message,
        hint === undefined ? {} : { hint },
      );
    }
  }
}

/** The facts about the model at an address, and how long finding them took. */
export const inspectionQuery = (url: string) =>
  queryOptions({
    queryKey: ["inspection", url],
    queryFn: async ({ signal }) => {
      const startedAt = performance.now();
      const facts = await inspectModel(url, signal);
      return { facts, tookMs: performance.now() - startedAt };
    },
    enabled: url !== "",
    retry: false,
    staleTime: 5 * 60_000,
  });

/** Sends a model file with progress; it is stored if an engine can read it. */
export const uploadModel = (file: File, options: UploadOptions): Promise<Model> =>
  uploadFile({ path: "/api/v1/models", file, answer: modelSchema }, options);
