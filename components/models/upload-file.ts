import { z } from "zod";
import { type AppError, fail, isReason } from "@/lib/common/errors";

export interface UploadOptions {
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/** Sends a file with progress: fetch cannot tell how much it has sent, XMLHttpRequest can. */
export function uploadFile<Schema extends z.ZodType>(
  { path, file, answer }: { readonly path: string; readonly file: File; readonly answer: Schema },
  { onProgress, signal }: UploadOptions,
): Promise<z.infer<Schema>> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const body = new FormData();
    body.append("file", file);
    request.open("POST", path);
    request.responseType = "json";
    request.upload.addEventListener("progress", (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    });
    request.addEventListener("load", () => {
      if (request.status === 201) {
        const stored = answer.safeParse(request.response);
        if (stored.success) resolve(stored.data);
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
