import type { Endpoint, Revision } from "@/lib/common/contract";
import type { Draft } from "./draft";

/** An endpoint that gets a further revision. */
export interface RevisionOf {
  readonly endpoint: Endpoint;
  /** Whose settings the form begins with. */
  readonly from: Revision;
  /** The one that answers; null while none does. */
  readonly serving: Revision | null;
}

/** How the form begins. */
export interface FormStart {
  /** Answers that are given. */
  readonly draft: Partial<Draft>;
  /** Where the tab keeps what is typed, and whether that goes before the answers that are given. */
  readonly keep: { readonly key: string; readonly wins: boolean };
  /** Null: a new endpoint is made. */
  readonly revisionOf: RevisionOf | null;
}
