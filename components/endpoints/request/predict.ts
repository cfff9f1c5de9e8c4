import { z } from "zod";
import {
  errorBodySchema,
  type PredictProtocol,
  type Timing,
  timingSchema,
} from "@/lib/common/contract";
import { binaryRequest, jsonOfBinaryAnswer } from "./binary-request";
import { parseLossless } from "./format-json";

const outputSchema = z.object({
  name: z.string(),
  datatype: z.string(),
  shape: z.array(z.number()),
  data: z.array(z.union([z.number(), z.string(), z.boolean()])),
});
const answerSchema = z.object({
  id: z.string().optional(),
  model_version: z.string().optional(),
  outputs: z.array(outputSchema),
  timing: timingSchema.optional(),
});

/** One output of a V2 answer, with its values as JSON has them. */
export type Output = z.infer<typeof outputSchema>;

/** A request that was answered, and where its time went. */
export interface Prediction {
  readonly ok: true;
  readonly status: number;
  /** The id by which the gateway knows it. */
  readonly requestId: string | null;
  readonly raw: string;
  readonly outputs: readonly Output[];
  /** The revision that answered. */
  readonly revision: string | null;
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
  /** Null: nothing was said, or nothing that can be read. */
  readonly message: string | null;
  readonly hint: string | null;
  readonly reason: string | null;
}

/** Whom a request is for, and how it travels. */
export interface Target {
  readonly name: string;
  /** Null: the route decides. */
  readonly revision: number | null;
  readonly protocol: PredictProtocol;
}

const headerLengthHeader = "inference-header-content-length";

/** The address of an endpoint in the API. */
export const pathOfEndpoint = (name: string): string =>
  `/api/v1/endpoints/${encodeURIComponent(name)}`;

/**
 * Sends a text, as it is or with its tensors as bytes, so that no digit is lost on the way, and reads the answer the same way.
 *
 * @throws {AppError} `INFER_INVALID` for a text that cannot be sent as bytes.
 */
export async function predict(
  { name, revision, protocol }: Target,
  text: string,
  signal: AbortSignal,
): Promise<Prediction | Refusal> {
  const query = new URLSearchParams({ protocol });
  if (revision !== null) query.set("revision", String(revision));
  const message = protocol === "binary" ? binaryRequest(text) : null;
  const startedAt = performance.now();
  const response = await fetch(`${pathOfEndpoint(name)}/predict?${query}`, {
    method: "POST",
    headers: message
      ? {
          "content-type": "application/octet-stream",
          [headerLengthHeader]: String(message.headerLength),
        }
      : { "content-type": "application/json" },
    body: message ? message.body : text,
    signal,
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const totalNs = (performance.now() - startedAt) * 1e6;
  const headerLength = response.headers.get(headerLengthHeader);
  const timing = response.headers.get("boardwalk-timing");
  return readAnswer({
    status: response.status,
    requestId: response.headers.get("x-request-id"),
    raw:
      headerLength === null
        ? new TextDecoder().decode(bytes)
        : jsonOfBinaryAnswer(bytes, Number(headerLength)),
    timing: timing === null ? undefined : parseLossless(timing),
    totalNs,
  });
}

/** What came back, read. `timing` is what stood beside the answer, where it stands not in it. */
export function readAnswer({
  status,
  requestId,
  raw,
  totalNs,
  timing: beside,
}: {
  status: number;
  requestId: string | null;
  raw: string;
  totalNs: number;
  timing?: unknown;
}): Prediction | Refusal {
  const body = parseLossless(raw);
  const nothing = { status, requestId, raw, message: null, hint: null, reason: null };
  if (status < 400) {
    const answer = answerSchema.safeParse(body);
    if (!answer.success) return { ok: false, ...nothing };
    const { id, model_version: revision = null, outputs, timing } = answer.data;
    const known = timing ?? timingSchema.safeParse(beside).data ?? {};
    return {
      ok: true,
      status,
      requestId: id || requestId,
      raw,
      outputs,
      revision,
      timing: known,
      totalNs,
    };
  }
  const ours = errorBodySchema.safeParse(body);
  if (ours.success) {
    const { message, hint = null, reason, requestId: id } = ours.data.error;
    return { ok: false, status, requestId: id, raw, message, hint, reason };
  }
  const theirs = z.object({ error: z.string() }).safeParse(body);
  return { ok: false, ...nothing, message: theirs.success ? theirs.data.error : null };
}
