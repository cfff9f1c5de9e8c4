import type { Timing } from "@/lib/common/contract";
import type { Tensor } from "@/lib/common/tensor";

/** What one request is answered with, in no wire format. */
export interface Inference {
  readonly outputs: readonly Tensor[];
  readonly timing: Timing;
  /** The slot that answered. */
  readonly slotId: string;
}
