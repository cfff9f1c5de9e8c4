import type { IncomingMessage, ServerResponse } from "node:http";
import type { Caller, ServedRevision, Service } from "../core";
import type { Reservation } from "../intake";

/** An inference that is asked for, of a model that is ready. */
export interface InferCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly model: string;
  readonly revision: ServedRevision;
  readonly service: Service;
  readonly caller: Caller;
  readonly maxBodyBytes: number;
  /** What the request holds in memory, until its answer has left. */
  readonly reservation: Reservation;
}
