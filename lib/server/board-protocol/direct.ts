import type { Timing } from "@/lib/common/contract";
import type { ErrorCode, Reason } from "@/lib/common/errors";

// What a gateway and a model on the same host say to each other in frames, on the model's own socket. Many calls may be
// under way on one connection; each answer has the number of its call.

/** A call, whose inputs come beside it; or word that nobody wants the answer any more. */
export type DirectCall =
  | {
      readonly id: number;
      readonly revisionId: string;
      readonly slotEpoch: number;
      /** How long it may wait before it begins. */
      readonly waitMs: number;
    }
  | { readonly cancel: number };

/** An answer, whose outputs come beside it. */
export type DirectAnswer =
  | {
      readonly id: number;
      readonly ok: true;
      readonly revisionId: string;
      readonly timing: Timing;
      readonly memoryBytes: number;
    }
  | {
      readonly id: number;
      readonly ok: false;
      readonly code: ErrorCode;
      readonly reason: Reason;
      readonly message: string;
    };
