import type { Action, Caller, Names, Service } from "../core";
import type { Reservation } from "../intake";
import type { Asked } from "../traffic";
import type { GrpcCall } from "./wire/call";

/** One unary call whose caller may make it. */
export interface RpcCall {
  readonly service: Service;
  readonly call: GrpcCall;
  readonly caller: Caller;
  /** What is counted of an inference; null: nothing. */
  readonly asked: Asked | null;
  /** What the call holds in memory, until it is over. */
  readonly reservation: Reservation;
}

/** What a message asks. */
export interface Question {
  /** Null: no model in particular. */
  readonly names: Pick<Names, "model"> | null;
  /** Answers in the wire form. */
  answer(call: RpcCall): Uint8Array | Promise<Uint8Array>;
}

/** How the calls of one method are read. */
export interface Handler {
  /** What their callers must be allowed; null: anybody may make them. */
  readonly action: Action | null;
  /** @throws {AppError} `INFER_INVALID`, `MODEL_NOT_FOUND`, `VERSION_INVALID` */
  read(request: Buffer): Question;
}
