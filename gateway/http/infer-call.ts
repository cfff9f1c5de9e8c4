import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Caller, ServedRevision, Service } from "../core";
import type { Reservation } from "../intake";
import type { Asked } from "../traffic";

/** An inference that is asked for, of a model that is ready. */
export interface InferQuestion {
  readonly headers: IncomingHttpHeaders;
  readonly model: string;
  /** Null: whichever answers. */
  readonly version: string | null;
  readonly revision: ServedRevision;
  readonly caller: Caller;
  readonly service: Service;
  /** What is counted of it; null: nothing. */
  readonly asked: Asked | null;
  /** What the request holds in memory, until its answer has left. */
  readonly reservation: Reservation;
}

/** The same, of a request of Node's server. */
export interface InferCall extends InferQuestion {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly maxBodyBytes: number;
}
