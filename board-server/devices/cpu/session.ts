import type { Tensor } from "@/lib/common/tensor";

/** What the session's thread is asked, and what it answers. */
export type SessionRequest =
  | { readonly kind: "load"; readonly path: string }
  | {
      readonly kind: "run";
      readonly inputs: readonly Tensor[];
      readonly outputs: readonly { readonly name: string; readonly datatype: string }[];
    };

export interface SessionAnswer {
  readonly outputs: readonly Tensor[];
  readonly computeNs: number;
}
