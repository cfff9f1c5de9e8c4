import type { Timing } from "@/lib/common/contract";
import type { Tensor } from "@/lib/common/tensor";
import type { DialAddress } from "@/lib/server/board-protocol";
import type { Life } from "../intake";
import type { Replica } from "./replicas";

/** Carries calls to board servers. Wire formats and connections are the transport's matter. */
export interface BoardLink {
  /** @throws {LinkError} */
  infer(call: LinkCall): Promise<LinkAnswer>;
  /** Resolves when the board server says anything at all. */
  ping(address: DialAddress, signal: AbortSignal): Promise<void>;
  /** Ends every call that a board server has not answered. */
  giveUp(address: DialAddress): void;
  close(): Promise<void>;
}

/** One call to a replica: the requests that share it, joined to one batch on the wire. */
export interface LinkCall {
  readonly replica: Replica;
  readonly revisionId: string;
  readonly id: string;
  /** The inputs of each request, in the model's order; several are joined along dimension 0. */
  readonly requests: readonly (readonly Tensor[])[];
  /** How long it may wait at the board before it begins. */
  readonly waitMs: number;
  /** The caller is gone or its time is up. */
  readonly life: Life;
}

/** What a replica answered to one call, for all of its requests together. */
export interface LinkAnswer {
  /** The revision that says it answered. */
  readonly revisionId: string | null;
  readonly outputs: readonly Tensor[];
  readonly timing: Timing;
  /** Elements of each row's inputs that were outside of the range that the firmware was built for; null: none. */
  readonly clipped: readonly number[] | null;
  /** Real memory that the model holds in that slot; null where it cannot be told. */
  readonly memory: { readonly slotId: string; readonly bytes: number } | null;
  /** From sending to the whole answer. */
  readonly totalNs: number;
}

/** What went wrong on the way: `sent` tells whether a board may have seen the request. */
export class LinkError extends Error {
  override readonly name = "LinkError";
  readonly sent: boolean;

  constructor(sent: boolean, cause: unknown) {
    super("the board server did not answer", { cause });
    this.sent = sent;
  }
}
