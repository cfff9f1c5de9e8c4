import type { BoardKind, EndpointState, NewRevision, SlotState } from "@/lib/common/contract";
import type { ErrorData } from "@/lib/common/errors";

/** A request for a revision whose choices were found to go together. */
export interface CheckedRevision {
  readonly request: NewRevision;
  readonly boardModel: string;
  readonly boardKind: BoardKind;
  /** UUID of the one board that was asked for, if one was. */
  readonly boardId: string | null;
}

/** A revision's replica as the reconciler sees it. */
export interface Replica {
  readonly assignmentId: string;
  readonly slotId: string;
  readonly state: SlotState;
  readonly epoch: number;
  /** The slot's epoch when the replica was placed; each command since was a further try. */
  readonly firstEpoch: number;
  readonly commandId: string | null;
  readonly commandAgeS: number;
  readonly reportedRevisionId: string | null;
  readonly reportedEpoch: number;
  readonly problem: ErrorData | null;
  /** Its board is drained and is to hold nothing: another replica takes its place. */
  readonly leaving: boolean;
}

/** A revision with what decides its endpoint's next step. */
export interface RevisionView {
  readonly id: string;
  readonly ordinal: number;
  /** When it was asked to serve, counted among the revisions of its endpoint. */
  readonly turn: number;
  readonly state: "building" | "ready" | "failed" | "retired";
  readonly boardModel: string;
  readonly boardKind: BoardKind;
  readonly boardId: string | null;
  readonly artifactDigest: string | null;
  /** Its bytes are known to be wrong, and nobody has made them again yet. */
  readonly damaged: boolean;
  readonly problem: ErrorData | null;
  /** Slots that it should have, and those that it has, oldest first. */
  readonly wanted: number;
  readonly replicas: readonly Replica[];
}

/** A state with the words that explain it. */
export interface EndpointStatus {
  readonly state: EndpointState;
  readonly reason: string | null;
  readonly problem: ErrorData | null;
}
