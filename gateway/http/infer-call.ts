import type { IncomingMessage, ServerResponse } from "node:http";
import type { Caller } from "../core/access";
import type { Reservation } from "../core/byte-budget";
import type { ServedRevision } from "../core/route-table";
import type { Service } from "../core/service";

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
