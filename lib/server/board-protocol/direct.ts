import type { Timing } from "@/lib/common/contract";
import type { ErrorCode, Reason } from "@/lib/common/errors";
import { isRecord } from "@/lib/common/records";

// What a gateway says in frames to a board server, and to a model on the same host on the model's own socket. Many calls
// of many slots may be under way on one connection; each answer has the number of its call.

/** A call, whose inputs come beside it; or word that nobody wants the answer any more. */
export type DirectCall =
  | {
      readonly id: number;
      /** A model's own socket is one slot's: it asks for none. */
      readonly slotId: string;
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
      /** The revision that answered. */
      readonly revisionId: string;
      readonly timing: Timing;
      /** How many elements of each row's inputs were outside of the firmware's range; absent where none was. */
      readonly clipped?: readonly number[] | undefined;
      /** Bytes of real memory that the model holds; absent where it cannot be told. */
      readonly memoryBytes?: number | undefined;
      /** A socket of the model's own on the same host, for further calls of this slot at this epoch. */
      readonly direct?: string | undefined;
    }
  | {
      readonly id: number;
      readonly ok: false;
      readonly code: ErrorCode;
      readonly reason: Reason;
      readonly message: string;
    };

/**
 * Said by whoever answers calls before it goes: it begins none any more. The other side asks elsewhere, takes the answers that it
 * still waits for, and closes the connection.
 */
export interface Leaving {
  readonly leaving: true;
}

/** Whether a message says so. */
export const isLeaving = (head: unknown): head is Leaving =>
  isRecord(head) && head["leaving"] === true;

/** Asks a board server whether it is there. */
export interface Ping {
  readonly ping: number;
}

/** Its answer, with the number of the ping. */
export interface Pong {
  readonly pong: number;
}
