import type { ProjectPlace } from "@/lib/common/contract";

/** A connection as it is kept: where it leads, and what opens it, sealed. */
export interface StoredConnection {
  /** The bare UUID. */
  readonly id: string;
  readonly leads: ProjectPlace;
  /** Null: nothing is shown. */
  readonly secret: string | null;
  /** Counted up by every change. */
  readonly version: number;
}

/** What a test came to. */
export interface TestOutcome {
  readonly said: string;
  /** Why it failed; null: it passed. */
  readonly reason: string | null;
}
