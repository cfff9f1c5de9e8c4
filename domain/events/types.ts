import type { ChangeEvent } from "@/lib/common/contract";

/** A change to be told to those who listen. */
export interface NewEvent {
  /** Null: of the installation, seen by every project. */
  readonly projectId: string | null;
  readonly noun: ChangeEvent["noun"];
  /** The id or name under which the API serves it. */
  readonly id: string;
  /** Recorded at most once under this key, such as `build.ended:<uuid>` (R4). */
  readonly onceKey?: string;
}
