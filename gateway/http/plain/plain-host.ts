import type { IncomingHttpHeaders } from "node:http";
import type { Socket } from "node:net";
import type { ByteBudget, Life, Reservation } from "../../intake";
import type { Answer } from "../answers";
import type { PlainHead } from "./read-head";

/** An inference of V2. */
export interface PlainRoute {
  readonly kind: "infer";
  readonly model: string;
  readonly version: string | null;
}

/** An inference whose request came whole, with nothing in it but what every one has. */
export interface PlainCall {
  readonly headers: IncomingHttpHeaders;
  readonly route: PlainRoute;
  readonly socket: Socket;
  /** The socket's, as `clientOf` has it. */
  readonly client: string;
  readonly body: Uint8Array;
  /** Why the body was not read to its end; absent: it was. */
  readonly refusal?: unknown;
  /** Closed when the answer has left. */
  readonly reservation: Reservation;
  readonly life: Life;
}

/** Who knows what may be asked, and answers it. */
export interface PlainAnswerer {
  /** What a head asks for; null: that is for Node's server to answer. */
  plainRouteOf(head: PlainHead): PlainRoute | null;
  /** It never rejects: what goes wrong is an answer. */
  answerPlain(call: PlainCall): Promise<Answer>;
}

/** What connections may take; the same as on Node's server. */
export interface PlainLimits {
  /** How long a new connection may be silent. */
  readonly headersMs: number;
  /** How long a request may take to come, and its answer to leave. */
  readonly requestMs: number;
  /** How long a connection is kept between requests. */
  readonly keepAliveMs: number;
  /** How often that is looked at. */
  readonly checkMs: number;
  /** Larger bodies are read at a pace, which is Node's server's to do. */
  readonly mostBodyBytes: number;
}

/** What a connection needs of who looks after it. */
export interface PlainHost {
  readonly limits: PlainLimits;
  readonly answerer: PlainAnswerer;
  readonly budget: ByteBudget;
  /** Answers are the last on their connections. */
  readonly isDraining: boolean;
  /** The connection is closed, or somebody else's. */
  forget(connection: object): void;
  /** Ends a connection whose client is too slow, and says so. */
  cutSlow(socket: Socket): void;
}
