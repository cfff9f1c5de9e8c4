import type { ErrorData } from "@/lib/common/errors";
import type { TensorSpec } from "@/lib/common/tensor";
import type { DirectPlace } from "../slot-place";

/** How ONNX Runtime works in one slot. */
export interface SessionSettings {
  /** Threads that one call is spread over. */
  readonly threads: number;
  /** Whether they wait for work by turning round: quicker, and a core each even when idle. */
  readonly spin: boolean;
}

/** What a session's process is asked; the inputs of a run come beside it. Answers come in the same order. */
export type SessionRequest =
  | {
      readonly kind: "load";
      readonly path: string;
      readonly settings: SessionSettings;
      readonly memoryLimitBytes: number;
      readonly outputs: readonly Pick<TensorSpec, "name" | "datatype">[];
      readonly direct: DirectPlace | null;
    }
  | { readonly kind: "run" }
  /** Take no more calls on the socket; answered when those that run have ended. */
  | { readonly kind: "leave" };

/** What it answers; the outputs come beside it. */
export type SessionAnswer =
  | { readonly ok: true; readonly computeNs: number }
  | { readonly ok: false; readonly error: ErrorData; readonly cause: string };
