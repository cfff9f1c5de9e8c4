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
import { type AppError, fail, type Reason, reasons } from "@/lib/common/errors";

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

const isReason = (text: string): text is Reason => text in reasons;

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

/** Sends a file with progress: fetch cannot tell how much it has sent, XMLHttpRequest can. */
export function uploadModel(
  file: File,
  { onProgress, signal }: { onProgress: (share: number) => void; signal: AbortSignal },
): Promise<Model> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const body = new FormData();
    body.append("file", file);
    request.open("POST", "/api/v1/models");
    request.responseType = "json";
    request.upload.addEventListener("progress", (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    });
    request.addEventListener("load", () => {
      if (request.status === 201) {
        const model = modelSchema.safeParse(request.response);
        if (model.success) resolve(model.data);
        else reject(fail("INTERNAL", "The answer to the upload could not be read."));
      } else reject(uploadError(request.response));
    });
    request.addEventListener("error", () =>
      reject(fail("STORE_UNAVAILABLE", "The connection broke while the file was being sent.")),
    );
    signal.addEventListener("abort", () => request.abort());
    request.send(body);
  });
}

const refusalSchema = z.object({
  error: z.object({
    code: z.string(),
    reason: z.string(),
    message: z.string(),
    hint: z.string().optional(),
  }),
});

function uploadError(body: unknown): AppError {
  const refusal = refusalSchema.safeParse(body);
  if (!refusal.success) return fail("INTERNAL", "The file was not taken.");
  const { reason, message, hint } = refusal.data.error;
  return fail(isReason(reason) ? reason : "INTERNAL", message, hint === undefined ? {} : { hint });
}
