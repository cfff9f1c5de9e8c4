import type { Measure } from "./measure";

/** What a `held` role is asked to do with its connections. */
export type HeldTask =
  | { readonly kind: "open" | "close" }
  | { readonly kind: "churn"; readonly perSecond: number; readonly seconds: number };

/** What came of it; the times are those from dialling to the first answer. */
export interface Held extends Measure {
  readonly open: number;
  /** Those that the server ended or refused since the last task. */
  readonly lost: number;
}
