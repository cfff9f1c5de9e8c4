import { z } from "zod";
import { errorBodySchema, type Timing, timingSchema } from "@/lib/common/contract";

const outputSchema = z.object({
  name: z.string(),
  datatype: z.string(),
  shape: z.array(z.number()),
  data: z.array(z.union([z.number(), z.string(), z.boolean()])),
});
const answerSchema = z.object({
  outputs: z.array(outputSchema),
  timing: timingSchema.optional(),
});

/** One output of a V2 answer, with its values as JSON has them. */
export type Output = z.infer<typeof outputSchema>;

/** A request that was answered, and where its time went. */
export interface Prediction {
  readonly ok: true;
  readonly status: number;
  readonly requestId: string | null;
  readonly raw: string;
  readonly outputs: readonly Output[];
  readonly timing: Timing;
  /** From the press of the button to the last byte of the answer. */
  readonly totalNs: number;
}

/** A request that was not answered, with the reason in words. */
export interface Refusal {
  readonly ok: false;
  readonly status: number;
  readonly requestId: string | null;
  readonly raw: string;
  readonly message: string;
  readonly hint: string | null;
  readonly reason: string | null;
}

/** Sends the text as it is, so that no digit is lost on the way, and reads the answer the same way. */
export async function predict(
  name: string,
  body: string,
  signal: AbortSignal,
): Promise<Prediction | Refusal> {
  const startedAt = performance.now();
  const response = await fetch(`/api/v1/endpoints/${encodeURIComponent(name)}/predict`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
    signal,
  });
  const raw = await response.text();
  const totalNs = (performance.now() - startedAt) * 1e6;
  return readAnswer({
    status: response.status,
    requestId: response.headers.get("x-request-id"),
    raw,
    totalNs,
  });
}

export function readAnswer({
  status,
  requestId,
  raw,
  totalNs,
}: {
  status: number;
  requestId: string | null;
  raw: string;
  totalNs: number;
}): Prediction | Refusal {
  const body = parseLossless(raw);
  if (status < 400) {
    const answer = answerSchema.safeParse(body);
    if (answer.success) {
      const { outputs, timing } = answer.data;
      return { ok: true, status, requestId, raw, outputs, timing: timing ?? {}, totalNs };
    }
    const message = "The answer has not the form of a V2 answer.";
    return { ok: false, status, requestId, raw, message, hint: null, reason: null };
  }
  const ours = errorBodySchema.safeParse(body);
  if (ours.success) {
    const { message, hint = null, reason, requestId: id } = ours.data.error;
    return { ok: false, status, requestId: id, raw, message, hint, reason };
  }
  const theirs = z.object({ error: z.string() }).safeParse(body);
  const message = theirs.success ? theirs.data.error : `The endpoint answered ${status}.`;
  return { ok: false, status, requestId, raw, message, hint: null, reason: null };
}

/** JSON.parse that leaves integers beyond 2^53 as text, where the engine tells the digits. */
export function parseLossless(text: string): unknown {
  try {
    const reviver = (_key: string, value: unknown, context?: { source?: string }) =>
      typeof value === "number" &&
      !Number.isSafeInteger(value) &&
      /^-?\d+$/.test(context?.source ?? "")
        ? context?.source
        : value;
    return JSON.parse(text, reviver as (key: string, value: unknown) => unknown);
  } catch {
    return null;
  }
}
