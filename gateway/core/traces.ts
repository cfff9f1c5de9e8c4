import type { Timing } from "@/lib/common/contract";
import type { AppError } from "@/lib/common/errors";

/** One inference as a tracing system sees it, from when its request was read until its answer was there. */
export interface TracedInference {
  readonly model: string;
  readonly version: string;
  readonly requestId: string;
  /** The caller's `traceparent` in the words of W3C Trace Context, if it sent one. */
  readonly traceparent: string | undefined;
  /** Milliseconds since the epoch, with fractions. */
  readonly startMs: number;
  readonly endMs: number;
  /** The time split of an answer; null for a failure. */
  readonly timing: Timing | null;
  readonly error: AppError | null;
}

/** Takes notes of inferences for a tracing system. */
export interface Traces {
  record(inference: TracedInference): void;
  /** Sends what is still to be sent. */
  close(): Promise<void>;
}
