import type { RequestProtocol } from "@/lib/common/contract";
import type { LatencyCounts } from "@/lib/common/latency";

/** What is counted of requests. Times are sums over the answered ones, microseconds. */
export interface TrafficCounts {
  readonly requests: number;
  /** Refused or failed by what the caller did: 4xx. */
  readonly clientErrors: number;
  /** Failed by what is ours: 5xx. */
  readonly serverErrors: number;
  readonly rows: number;
  /** From coming to answered, in the gateway. */
  readonly totalUs: number;
  /** Of it: waiting in the gateway, on the way to the board and back, on the board's host, and computing. */
  readonly queueUs: number;
  readonly linkUs: number;
  readonly hostUs: number;
  readonly computeUs: number;
  /** Of the answered ones. */
  readonly latency: LatencyCounts;
}

/** What one gateway counted of a revision in a minute. */
export interface CountedMinute extends TrafficCounts {
  /** UUID; `noEndpoint` says that the gateway counted in that minute. */
  readonly endpointId: string;
  /** Where the minute begins, ISO. */
  readonly at: string;
  /** Ordinal; 0: none was chosen. */
  readonly revision: number;
}

/** One of the last requests of an endpoint. */
export interface AnsweredRequest {
  readonly id: string;
  readonly endpointId: string;
  readonly at: string;
  readonly protocol: RequestProtocol;
  readonly status: number;
  readonly reason: string | null;
  readonly message: string | null;
  readonly revision: number;
  readonly slotId: string | null;
  readonly latencyUs: number;
  readonly rows: number;
  readonly requestId: string;
  readonly body: string | null;
}

/** What a gateway hands over at a time. */
export interface TrafficBatch {
  /** UUID of the gateway's run. A minute may be written again, whole, by who wrote it first. */
  readonly writer: string;
  readonly minutes: readonly CountedMinute[];
  readonly requests: readonly AnsweredRequest[];
}

/** The endpoint of the rows that say nothing but that somebody counted. */
export const noEndpoint = "00000000-0000-0000-0000-000000000000";
