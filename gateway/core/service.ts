import type { ConnectionCap } from "@/lib/server/http";
import type { Codec } from "../codec";
import type { ByteBudget, InFlight } from "../intake";
import type { Meter, Statistics } from "../metrics";
import type { Traffic } from "../traffic";
import type { Access } from "./access";
import type { Readiness } from "./readiness";
import type { Repository } from "./repository";
import type { RouteTable } from "./route-table";
import type { Schedulers } from "./schedulers";
import type { Traces } from "./traces";

/** What a protocol front translates to: the same for all of them. */
export interface Service {
  /** What V2 metadata tells of this server. */
  readonly version: string;
  readonly routes: RouteTable;
  /** Has the routes read again for requests whose board has left; shared, and at most so often. */
  readonly renewRoutes: () => Promise<void>;
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
  /** What endpoints are asked, minute by minute; null: nobody writes it down. */
  readonly traffic: Traffic | null;
  /** Null: nobody wants them. */
  readonly traces: Traces | null;
}
