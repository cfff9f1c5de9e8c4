import type { IncomingMessage, ServerResponse } from "node:http";
import type { Caller, ServedRevision, Service } from "../core";
import type { Reservation } from "../intake";
import type { Asked } from "../traffic";

/** An inference that is asked for, of a model that is ready. */
export interface InferCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly model: string;
  readonly revision: ServedRevision;
  readonly service: Service;
  readonly caller: Caller;
  /** What is counted of it; null: nothing. */
  readonly asked: Asked | null;
  readonly maxBodyBytes: number;
  /** What the request holds in memory, until its answer has left. */
  readonly reservation: Reservation;
}
