import type { Codec } from "../codec/codec";
import type { Access } from "./access";
import type { ByteBudget } from "./byte-budget";
import type { ConnectionCap } from "./connection-cap";
import type { InFlight } from "./in-flight";
import type { Meter } from "./meter";
import type { Readiness } from "./readiness";
import type { Repository } from "./repository";
import type { RouteTable } from "./route-table";
import type { Schedulers } from "./schedulers";
import type { Statistics } from "./statistics";
import type { Traces } from "./traces";

/** What a protocol front translates to: the same for all of them. */
export interface Service {
  /** What V2 metadata tells of this server. */
  readonly version: string;
  readonly routes: RouteTable;
  readonly readiness: Readiness;
  readonly schedulers: Schedulers;
  readonly statistics: Statistics;
  readonly repository: Repository;
  readonly access: Access;
  readonly inFlight: InFlight;
  /** What requests may hold in memory. */
  readonly budget: ByteBudget;
  readonly connections: ConnectionCap;
  /** Reads and writes what travels, large messages in threads. */
  readonly codec: Codec;
  readonly meter: Meter;
  /** Null: nobody wants them. */
  readonly traces: Traces | null;
}
