import type { IncomingMessage, ServerResponse } from "node:http";
import type { Caller } from "../core/access";
import type { ServedRevision } from "../core/route-table";
import type { Service } from "../core/service";
import type { Codec } from "./codec";

/** An inference that is asked for, of a model that is ready. */
export interface InferCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly model: string;
  readonly revision: ServedRevision;
  readonly service: Service;
  readonly caller: Caller;
  readonly codec: Codec;
  readonly maxBodyBytes: number;
}
